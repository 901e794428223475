import { type Hider, hider } from "./hide.ts";

/** Secrets that were read so far: what this process says of an error must not tell them, whoever says it. */
const confided = new Set<string>();
let hide: Hider = hider([]);

/** Keeps secrets from what is said later on. */
export function confide(secrets: Iterable<string>): void {
  const before = confided.size;
  for (const secret of secrets) confided.add(secret);
  if (confided.size > before) hide = hider([...confided]);
}

/** A message without any secret that was read. */
export function discreet(message: string): string {
  return hide.text(message);
}
