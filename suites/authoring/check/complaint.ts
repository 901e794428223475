import { placeOf, type Text } from "../../../schemas/index.ts";

/** A fault of a vector set: its place, as `FILE:LINE:COLUMN (#/pointer)`, the fault, and the remedy. */
export interface SetComplaint {
  where: string;
  what: string;
  hint?: string;
}

/** A file of a set as it was read. */
export interface ReadFile {
  file: string;
  text: Text;
}

/** A complaint about the value at a JSON Pointer in a file. */
export function complainAt({ file, text }: ReadFile, pointer: string, what: string, hint?: string): SetComplaint {
  return { where: placeOf(file, text, { at: pointer }), what, ...(hint === undefined ? {} : { hint }) };
}
