import { basename } from "node:path";
import { documentName } from "../../../schemas/index.ts";

/** A name that reads well: words in capitals stay whole. Names that follow from files do not change, since ids begin with them. */
export function nameFor(file: string): string {
  const stem = basename(file).replace(/([A-Z]+[0-9]*[A-Z]+)([A-Z][a-z]{2,})/g, "$1-$2");
  return documentName(stem.replace(/[A-Z]+[0-9]+[A-Z]+(?![a-z])/g, (word) => word.toLowerCase()));
}
