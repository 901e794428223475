import { setTimeout } from "node:timers/promises";
import { jsonOf, type Profile, TargetFailure } from "../../../schemas/index.ts";
import { isRateLimited, retryDelayOf } from "../../base/http/postponement.ts";
import { type LimitWait, limitRemedy, whileLimited } from "../../base/http/rate-limit.ts";
import type { Response } from "../../base/http/send.ts";

/** The maximum number of retries of one request, and the longest granted wait in milliseconds: a window of a minute, and a little more. */
const maxRetries = 8;
const maxWaitMs = 90_000;
/** The total milliseconds for which one message may wait. */
const maxTotalWaitMs = 150_000;

/** Milliseconds after which an answer asks for the request to be repeated; undefined if it does not, or asks for too long a wait. */
export function waitOf(
  { status, headers, body }: Response,
  retries: number,
  now: number,
  later?: Profile["http"]["later"],
): number | undefined {
  if (retries >= maxRetries) return undefined;
  const json = later === undefined ? undefined : jsonOf(body);
  const wait = retryDelayOf({ status, headers, json }, later, now);
  return wait !== undefined && wait <= maxWaitMs ? wait : undefined;
}

/** The failure of a message that a server postpones again and again: an untested message must not pass. */
function limitFailure({ status, headers }: Response): TargetFailure {
  const after = headers["retry-after"] ?? "";
  return new TargetFailure(
    "errored",
    "answer",
    `the server limits requests: after the waits that are made, ${status} and Retry-After ${after}; ${limitRemedy}`,
    { because: { kind: "rate-limit", status } },
  );
}

/** Waits for these milliseconds, as an answer asks; the wait may be for a named limit. */
export async function pauseFor(
  response: Response & Pick<LimitWait, "limit">,
  milliseconds: number,
  signal: AbortSignal,
): Promise<void> {
  await whileLimited(response, () => setTimeout(milliseconds, undefined, { signal })).catch((cause: unknown) => {
    const problem = `the server is still limiting requests when the time is up: ${limitRemedy}`;
    throw new TargetFailure("errored", "answer", problem, {
      cause,
      because: { kind: "rate-limit", status: response.status },
    });
  });
}

/** The requests that wait because the server limits them. */
export interface RequestQueue {
  /** Resolves when no such request is waiting. */
  held(): Promise<void>;
  /** Joins the waiting requests, and returns the function for leaving. */
  join(): () => void;
  /** Throws a TargetFailure for an answer with `Retry-After` that should not be waited for, or no longer, given the milliseconds that its message has waited. */
  mayWait(response: Response, wait: number | undefined, waited: number): void;
  /** Whether a request is waiting. */
  isHeld(): boolean;
}

export function createRequestQueue(): RequestQueue {
  let waitingCount = 0;
  /** Set if a message waited in vain: then the limit is not on the rate, and the others need not wait. */
  let isFull = false;
  let waiters: (() => void)[] = [];
  return {
    isHeld: () => waitingCount > 0,
    mayWait(response, wait, waited) {
      if (!isRateLimited(response) || response.headers["retry-after"] === undefined) return;
      if (wait !== undefined && !isFull && waited + wait <= maxTotalWaitMs) return;
      isFull = true;
      throw limitFailure(response);
    },
    held: () => (waitingCount === 0 ? Promise.resolve() : new Promise((resolve) => waiters.push(resolve))),
    join() {
      waitingCount += 1;
      return () => {
        waitingCount -= 1;
        if (waitingCount > 0) return;
        const waiting = waiters;
        waiters = [];
        for (const resume of waiting) resume();
      };
    },
  };
}
