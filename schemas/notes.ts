import { faultIn, type SchemaDocument } from "./document.ts";
import type { Misread } from "./loaded-schemas.ts";
import type { Note } from "./unread-parts.ts";

/** Notes that are collected while schemas are read. */
export interface Notes {
  notes: string[];
  misread: Misread[];
}

/** Returns a function that records parts of a document that are not read literally, each with file and line. */
export function noteIn(document: Pick<SchemaDocument, "file" | "text">, { notes, misread }: Notes): Note {
  return (at, what, isLeftOut = false) => {
    const why = isLeftOut ? `${what}, and is left out` : what;
    const note = `${faultIn(document, at, what).where}: ${why}`;
    notes.push(note);
    const origin = document.text.origin?.(at) ?? { file: document.file, at };
    const { line, column } = document.text.locate(at);
    if (isLeftOut && origin.at !== "")
      misread.push({ note, file: origin.file, line, column, at: `#${origin.at}`, why });
  };
}
