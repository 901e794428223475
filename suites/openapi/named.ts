import { statSync } from "node:fs";
import { basename } from "node:path";
import { profileFile } from "../../schemas/index.ts";

/** Whether a description of an interface is meant, where a pack or a protocol may be: a file, JSON or YAML, that is no profile. */
export function isDescription(given: string): boolean {
  return (
    /\.(json|ya?ml)$/i.test(given) &&
    basename(given) !== profileFile &&
    statSync(given, { throwIfNoEntry: false })?.isFile() === true
  );
}
