/** The hub's clock, which decides on deadlines, signatures and retries. It can be moved in both directions, and stopped. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Sets the time. */
  set(time: number): void;
  /** Stops the clock until `start`. */
  stop(): void;
  start(): void;
  /** Runs the task once the clock reaches the time, but never before this call returns. The returned function cancels the task. */
  at(time: number, task: () => void): () => void;
  /** Cancels every task. */
  clear(): void;
}

/** The maximum delay of a timer, in milliseconds. A longer delay overflows, and the timer fires immediately. */
const maxDelay = 2 ** 31 - 1;

/** Starts a clock at the real time. */
export function startClock(): Clock {
  let offset = 0;
  let stoppedAt: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const tasks = new Set<{ time: number; task: () => void }>();
  const now = (): number => stoppedAt ?? Date.now() + offset;

  function runDue(): void {
    const dueTasks = [...tasks].filter(({ time }) => time <= now()).sort((a, b) => a.time - b.time);
    for (const entry of dueTasks) if (tasks.delete(entry)) entry.task();
    schedule();
  }

  function schedule(): void {
    clearTimeout(timer);
    if (tasks.size === 0) return;
    const delayMs = Math.min(...[...tasks].map(({ time }) => time)) - now();
    if (delayMs > 0 && stoppedAt !== undefined) return;
    timer = setTimeout(runDue, Math.min(Math.max(Math.ceil(delayMs), 0), maxDelay)).unref();
  }

  return {
    now,
    set(time) {
      if (stoppedAt === undefined) offset = time - Date.now();
      else stoppedAt = time;
      runDue();
    },
    stop() {
      stoppedAt = now();
      schedule();
    },
    start() {
      offset = now() - Date.now();
      stoppedAt = undefined;
      schedule();
    },
    at(time, task) {
      const entry = { time, task };
      tasks.add(entry);
      schedule();
      return () => {
        tasks.delete(entry);
      };
    },
    clear() {
      tasks.clear();
      clearTimeout(timer);
    },
  };
}
