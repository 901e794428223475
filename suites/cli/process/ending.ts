import { exitCodes } from "../../../schemas/light-entry.ts";

/** How the program exits if something ends it before there is a verdict. */
export interface ProcessEnding {
  code: number;
  /** The activity that was interrupted. */
  during?: string;
  /** The cause, if known. */
  cause?: string;
}

/** A run that did not finish is never a success, even if a target's module ended this process. */
const unforeseenEnding: ProcessEnding = { code: exitCodes.internal };
// Module state is enough: a process ends once.
let current = unforeseenEnding;

/** How the process would exit if it ended now. */
export function currentEnding(): ProcessEnding {
  return current;
}

/** Sets how the process would exit from now on; without an argument, as after an unforeseen end. */
export function setEnding(ending: ProcessEnding = unforeseenEnding): void {
  current = ending;
}
