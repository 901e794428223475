import type { Profile } from "../../schemas/index.ts";
import { type Answered, laterIn, limitsWithoutTime } from "../http/later.ts";

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

/** Why what was asked is not known where a target limits requests (429) and is not waited for: of that alone it says nothing. */
export function unwaited(answer: Answered, later?: Profile["http"]["later"]): string | undefined {
  if (answer.status !== 429 || waitAsked(answer, 0, later) !== undefined) return undefined;
  const wait = laterIn(answer, later, Date.now());
  return wait === undefined || Number.isNaN(wait)
    ? `${limitsWithoutTime} (HTTP 429)`
    : `the server limits requests, and asks to wait ${Math.ceil(wait / 1000)} s, more than ${longestWait / 1000}: raise its limit for the test (HTTP 429)`;
}
