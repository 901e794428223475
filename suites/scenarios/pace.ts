import { type Profile, TargetFailure } from "../../schemas/index.ts";
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

/** Throws a TargetFailure where a target limits requests (429) and cannot be waited for: that says nothing of what it was asked. */
export function mustBeWaited(answer: Answered, later?: Profile["http"]["later"]): void {
  if (answer.status !== 429 || waitAsked(answer, 0, later) !== undefined) return;
  const wait = laterIn(answer, later, Date.now());
  const why =
    wait === undefined || Number.isNaN(wait)
      ? limitsWithoutTime
      : `the server limits requests, and asks to wait ${Math.ceil(wait / 1000)} s, more than ${longestWait / 1000}: raise its limit for the test`;
  throw new TargetFailure("errored", "answer", `${why} (HTTP 429)`);
}
