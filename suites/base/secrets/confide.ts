import { createHider, minSecretLength } from "./hide.ts";
import { filterOutput } from "./output-filter.ts";
import { isOwnWord } from "./words.ts";

/** The secrets read so far; no error message of this process may contain them. */
const knownSecrets = new Set<string>();

// The warning is printed once per process.
let isWarned = false;

/** Hides these secrets in all later output. */
export function rememberSecrets(secrets: Iterable<string>): void {
  const previousCount = knownSecrets.size;
  for (const secret of secrets) {
    if (!knownSecrets.has(secret) && isOwnWord(secret) && secret.length >= minSecretLength && !isWarned) {
      isWarned = true;
      process.stderr.write("a secret is also a word of our own reports, so it is not hidden\n");
    }
    knownSecrets.add(secret);
  }
  if (knownSecrets.size > previousCount) filterOutput(createHider([...knownSecrets]).text);
}
