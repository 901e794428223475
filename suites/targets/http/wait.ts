import { setTimeout } from "node:timers/promises";
import { jsonOf, type Profile, TargetFailure } from "../../../schemas/index.ts";
import { isPutOff, retryDelayOf } from "../../base/http/postponement.ts";
import { type LimitWait, limitRemedy, whileLimited } from "../../base/http/rate-limit.ts";
import type { Response } from "../../base/http/send.ts";

/** Retries of one request, and the longest wait that is honoured, in milliseconds: a window of a minute, and a little. */
const maxRetries = 8;
const longestWait = 90_000;
/** Milliseconds for which one message waits in all. */
const maxWaiting = 150_000;

/** Milliseconds that an answer asks to wait before it is asked again; undefined when it does not, or asks for too much. */
export function waitOf(
  { status, headers, body }: Response,
  retries: number,
  now: number,
  later?: Profile["http"]["later"],
): number | undefined {
  if (retries >= maxRetries) return undefined;
  const json = later === undefined ? undefined : jsonOf(body);
  const wait = retryDelayOf({ status, headers, json }, later, now);
  return wait !== undefined && wait <= longestWait ? wait : undefined;
}

/** A message that a server puts off again and again shows nothing, and an untested message must not pass. */
function limitFailure({ status, headers }: Response): TargetFailure {
  const after = headers["retry-after"] ?? "";
  return new TargetFailure(
    "errored",
    "answer",
    `the server limits requests: after the waits that are made, ${status} and Retry-After ${after}; ${limitRemedy}`,
    { because: { kind: "rate-limit", status } },
  );
}

/** Waits so many milliseconds, as an answer asks; it may be about a limit that is named. */
export async function pauseFor(
  response: Response & Pick<LimitWait, "limit">,
  milliseconds: number,
  signal: AbortSignal,
): Promise<void> {
  await whileLimited(response, () => setTimeout(milliseconds, undefined, { signal })).catch((cause: unknown) => {
    const what = `the server is still limiting requests when the time is up: ${limitRemedy}`;
    throw new TargetFailure("errored", "answer", what, {
      cause,
      because: { kind: "rate-limit", status: response.status },
    });
  });
}

/** Requests that were asked to wait go first. */
export interface RequestQueue {
  /** Waits until no request waits any more that was asked to. */
  held(): Promise<void>;
  /** Joins those who wait, and gives how they are left. */
  join(): () => void;
  /** Throws a TargetFailure for an answer with `Retry-After` that is not to be waited for, or not any longer, by the milliseconds that its message has waited. */
  mayWait(response: Response, wait: number | undefined, waited: number): void;
  /** Whether a request waits. */
  isHeld(): boolean;
}

export function lineOf(): RequestQueue {
  let waiting = 0;
  /** A message waited in vain: the limit is none of pace, and the others need not wait as well. */
  let isFull = false;
  let waiters: (() => void)[] = [];
  return {
    isHeld: () => waiting > 0,
    mayWait(response, wait, waited) {
      if (!isPutOff(response) || response.headers["retry-after"] === undefined) return;
      if (wait !== undefined && !isFull && waited + wait <= maxWaiting) return;
      isFull = true;
      throw limitFailure(response);
    },
    held: () => (waiting === 0 ? Promise.resolve() : new Promise((go) => waiters.push(go))),
    join() {
      waiting += 1;
      return () => {
        waiting -= 1;
        if (waiting > 0) return;
        const all = waiters;
        waiters = [];
        for (const go of all) go();
      };
    },
  };
}
