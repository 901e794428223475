import { placeOf, type Text } from "../../../schemas/index.ts";

/** What is wrong with a vector set: where, as `FILE:LINE:COLUMN (#/pointer)`, what, and what to do. */
export interface Complaint {
  where: string;
  what: string;
  hint?: string;
}

/** A file of a set as it was read. */
export interface ReadFile {
  file: string;
  text: Text;
}

/** A complaint about what stands at a JSON Pointer in a file. */
export function complaint({ file, text }: ReadFile, at: string, what: string, hint?: string): Complaint {
  return { where: placeOf(file, text, { at }), what, ...(hint === undefined ? {} : { hint }) };
}
