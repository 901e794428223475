import type { Profile } from "../../schemas/index.ts";
import { type Answered, laterIn } from "../http/later.ts";

/** How often one request is put again, and the longest wait that is honoured, in milliseconds. */
const mostTries = 4;
const longestWait = 120_000;

/** Milliseconds that an answer asks to wait before it is asked again; undefined when it does not, or asks for too much. */
export function waitAsked(answer: Answered, tries: number, later?: Profile["http"]["later"]): number | undefined {
  if (tries >= mostTries) return undefined;
  const date = Date.parse(answer.headers.date ?? "");
  const wait = laterIn(answer, later, Number.isFinite(date) ? date : Date.now());
  // To the second is not to the millisecond.
  return wait !== undefined && wait <= longestWait ? wait + 100 : undefined;
}
