import { basename } from "node:path";
import { kebabWithCapitals } from "../../../schemas/index.ts";

/** A readable name, in which words in capitals stay whole. It must not change for the same file, since ids begin with it. */
export function nameFor(file: string): string {
  return kebabWithCapitals(basename(file).replace(/(\.schema)?\.json$/i, ""), { keepDots: true });
}
