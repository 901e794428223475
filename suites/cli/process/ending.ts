import { exitCodes } from "../../../schemas/light-entry.ts";

/** How the program ends if something ends it before there is a verdict. */
export interface ProcessEnding {
  code: number;
  /** Its current work. */
  during?: string;
  /** The cause, if known. */
  since?: string;
}

/** A run that did not finish is never a success, even if a target's module ended this process. */
const unforeseenEnding: ProcessEnding = { code: exitCodes.internal };
// How the process would end now; module state, since it ends once.
let current = unforeseenEnding;

/** How it would end now. */
export function currentEnding(): ProcessEnding {
  return current;
}

/** Sets how it would end from here on. */
export function setEnding(ending: ProcessEnding = unforeseenEnding): void {
  current = ending;
}
