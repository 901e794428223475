import { basename } from "node:path";
import { kebabWithCapitals } from "../../../schemas/index.ts";

/** A name that reads well: words in capitals stay whole. Names that follow from files do not change, since ids begin with them. */
export function nameFor(file: string): string {
  return kebabWithCapitals(basename(file).replace(/(\.schema)?\.json$/i, ""), ".");
}
