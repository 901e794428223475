let done = 0;
let most = Infinity;

/** Counts work, in units of a few microseconds: a clock that goes alike on every machine. */
export function toil(units: number): void {
  done += units;
}

/** Whether the work that was allowed is done: searches give up from now on. */
export function isSpent(): boolean {
  return done > most;
}

/** Does a task for which so much work is allowed. */
export function within<T>(units: number, task: () => T): T {
  const before = most;
  most = Math.min(most, done + units);
  try {
    return task();
  } finally {
    most = before;
  }
}
