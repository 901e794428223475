/** The remedy for a rate limit: the number of requests stays the same, even with fewer at once. */
export const limitRemedy =
  "raise the server's limits for the test and empty its inbox, or select fewer vectors with --only";

/** A wait that an answer demanded. */
export interface LimitWait {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The limit in words, if known. */
  limit?: string | undefined;
}

// The number of requests of this process that are waiting: the run reports their total time, and the progress bar the current wait.
let waitingCount = 0;
let began = 0;
let before = 0;
let last: LimitWait | undefined;

/** Waits as an answer demands, and informs progress displays. The state belongs to the process, since a process tests one target. */
export async function whileLimited<T>(answer: LimitWait, wait: () => Promise<T>): Promise<T> {
  if (waitingCount === 0) began = performance.now();
  waitingCount += 1;
  last = answer;
  try {
    return await wait();
  } finally {
    waitingCount -= 1;
    if (waitingCount === 0) before += performance.now() - began;
  }
}

/** `waiting for the server's limit (429, Retry-After 60)` while a request waits. */
export function currentLimit(): string | undefined {
  return waitingCount === 0 ? undefined : `waiting for ${nameLimit()}`;
}

/** The total time spent waiting, in milliseconds, and the reason; includes current waits. */
export function totalLimitWait(): { milliseconds: number; what: string } {
  return { milliseconds: before + (waitingCount === 0 ? 0 : performance.now() - began), what: nameLimit() };
}

function nameLimit(): string {
  const after = last?.headers["retry-after"];
  const about = last?.limit === undefined ? "" : `; perhaps ${last.limit}`;
  return `the server's limit (${last?.status}${after === undefined ? "" : `, Retry-After ${after}`}${about})`;
}
