/** The remedy for a rate limit. Fewer requests at once do not help: their total number stays the same. */
export const limitRemedy =
  "raise the server's limits for the test and empty its inbox, or select fewer vectors with --only";

/** A wait that an answer demanded. */
export interface LimitWait {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The limit in words, if known. */
  limit?: string | undefined;
}

// How many requests of this process are waiting. The run reports the total time, the progress bar the current wait.
let waitingCount = 0;
let waitStart = 0;
let finishedWaitTime = 0;
let lastWait: LimitWait | undefined;

/** Waits as an answer demands, and informs progress displays. The state belongs to the process, since a process tests one target. */
export async function whileLimited<T>(answer: LimitWait, wait: () => Promise<T>): Promise<T> {
  if (waitingCount === 0) waitStart = performance.now();
  waitingCount += 1;
  lastWait = answer;
  try {
    return await wait();
  } finally {
    waitingCount -= 1;
    if (waitingCount === 0) finishedWaitTime += performance.now() - waitStart;
  }
}

/** Returns a text such as `waiting for the server's limit (429, Retry-After 60)` while a request waits. */
export function currentLimit(): string | undefined {
  return waitingCount === 0 ? undefined : `waiting for ${describeLimit()}`;
}

/** Returns the total time spent waiting, in milliseconds, and the reason; current waits are included. */
export function totalLimitWait(): { milliseconds: number; reason: string } {
  return {
    milliseconds: finishedWaitTime + (waitingCount === 0 ? 0 : performance.now() - waitStart),
    reason: describeLimit(),
  };
}

function describeLimit(): string {
  const retryAfter = lastWait?.headers["retry-after"];
  const likelyLimit = lastWait?.limit === undefined ? "" : `; perhaps ${lastWait.limit}`;
  return `the server's limit (${lastWait?.status}${retryAfter === undefined ? "" : `, Retry-After ${retryAfter}`}${likelyLimit})`;
}
