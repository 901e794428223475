import { passThrough } from "./confided.ts";
import { hider } from "./hide.ts";

/** Secrets that were read so far: what this process says of an error must not tell them, whoever says it. */
const confided = new Set<string>();

/** Keeps secrets from what is said later on. */
export function confide(secrets: Iterable<string>): void {
  const before = confided.size;
  for (const secret of secrets) confided.add(secret);
  if (confided.size > before) passThrough(hider([...confided]).text);
}
