import { setTimeout } from "node:timers/promises";
import { jsonOf, type Profile, TargetFailure } from "../../../schemas/index.ts";
import { isRateLimited, retryDelayOf } from "../../base/http/postponement.ts";
import { type LimitWait, limitRemedy, whileLimited } from "../../base/http/rate-limit.ts";
import type { Response } from "../../base/http/send.ts";

/** The maximum number of retries of one request. */
const maxRetries = 8;
/** The longest granted wait in milliseconds: somewhat more than a window of a minute. */
const maxWaitMs = 90_000;
/** The total milliseconds for which one message may wait. */
const maxTotalWaitMs = 150_000;

/** Returns the milliseconds after which an answer asks to repeat the request; undefined if it does not, or if that is too long. */
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

/** Creates the failure for a message that a server postpones again and again, because an untested message must not pass. */
function limitFailure({ status, headers }: Response): TargetFailure {
  const after = headers["retry-after"] ?? "";
  return new TargetFailure(
    "errored",
    "answer",
    `the server limits requests: after the waits that are made, ${status} and Retry-After ${after}; ${limitRemedy}`,
    { because: { kind: "rate-limit", status } },
  );
}

/** Waits for the milliseconds that an answer asked for, possibly because of a named limit. */
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
  /** Throws a TargetFailure if an answer with `Retry-After` asks for a wait that is too long, alone or together with the milliseconds that its message has waited. */
  refuseLongWait(response: Response, wait: number | undefined, waited: number): void;
  /** Whether a request is waiting. */
  isHeld(): boolean;
}

export function createRequestQueue(): RequestQueue {
  let waitingCount = 0;
  /** Whether a message waited in vain. The limit is then not on the rate, and other messages need not wait. */
  let isFull = false;
  let waiters: (() => void)[] = [];
  return {
    isHeld: () => waitingCount > 0,
    refuseLongWait(response, wait, waited) {
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
