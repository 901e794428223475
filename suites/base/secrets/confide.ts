import { hider, shortest } from "./hide.ts";
import { passThrough } from "./output-filter.ts";
import { isOurs } from "./words.ts";

/** Secrets that were read so far: what this process says of an error must not tell them, whoever says it. */
const confided = new Set<string>();

let isSaid = false;

/** Keeps secrets from what is said later on. */
export function confide(secrets: Iterable<string>): void {
  const before = confided.size;
  for (const secret of secrets) {
    if (!confided.has(secret) && isOurs(secret) && secret.length >= shortest && !isSaid) {
      isSaid = true;
      process.stderr.write("a secret is a word of our own reports, which say it everywhere: it is not hidden\n");
    }
    confided.add(secret);
  }
  if (confided.size > before) passThrough(hider([...confided]).text);
}
