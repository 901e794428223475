import type { Json } from "../json.ts";

/** A recorded session as a trace document has it. */
export interface Session {
  document: string;
  value: Json;
  /** JSON Pointer to the list whose items are the lines. */
  at: string;
}

/** Puts what was recorded line by line into the form in which the rules about sequences judge it. */
export type SessionReader = (lines: Json[]) => Session;
