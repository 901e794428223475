import { basename } from "node:path";
import { kebabWithCapitals } from "../../../schemas/index.ts";

/** A readable name: words in capitals stay whole. Names derived from files do not change, since ids begin with them. */
export function nameFor(file: string): string {
  return kebabWithCapitals(basename(file).replace(/(\.schema)?\.json$/i, ""), { keepDots: true });
}
