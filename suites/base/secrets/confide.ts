import { createHider, minSecretLength } from "./hide.ts";
import { filterOutput } from "./output-filter.ts";
import { isOurs } from "./words.ts";

/** The secrets read so far: no error message of this process may contain them. */
const confided = new Set<string>();

// The warning is printed once per process.
let isSaid = false;

/** Keeps secrets out of later messages. */
export function confide(secrets: Iterable<string>): void {
  const before = confided.size;
  for (const secret of secrets) {
    if (!confided.has(secret) && isOurs(secret) && secret.length >= minSecretLength && !isSaid) {
      isSaid = true;
      process.stderr.write("a secret is also a word of our own reports, so it is not hidden\n");
    }
    confided.add(secret);
  }
  if (confided.size > before) filterOutput(createHider([...confided]).text);
}
