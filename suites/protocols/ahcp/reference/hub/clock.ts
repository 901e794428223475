/** The hub's own time: it decides on deadlines, signatures and retries. It can be put forward, put back and stopped. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Goes on from here. */
  set(time: number): void;
  /** Stops until it is started again. */
  stop(): void;
  start(): void;
  /** Runs the task once the clock shows the time, and never before this call has returned. The function returned forgets it. */
  at(time: number, task: () => void): () => void;
  /** Forgets every task. */
  clear(): void;
}

/** Longer timers overflow, and would fire at once. */
const longest = 2 ** 31 - 1;

/** A clock that begins at real time. */
export function startClock(): Clock {
  let ahead = 0;
  let stoppedAt: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const tasks = new Set<{ time: number; task: () => void }>();
  const now = (): number => stoppedAt ?? Date.now() + ahead;

  function run(): void {
    const due = [...tasks].filter(({ time }) => time <= now()).sort((a, b) => a.time - b.time);
    for (const each of due) if (tasks.delete(each)) each.task();
    wind();
  }

  function wind(): void {
    clearTimeout(timer);
    if (tasks.size === 0) return;
    const next = Math.min(...[...tasks].map(({ time }) => time)) - now();
    if (next > 0 && stoppedAt !== undefined) return;
    timer = setTimeout(run, Math.min(Math.max(Math.ceil(next), 0), longest)).unref();
  }

  return {
    now,
    set(time) {
      if (stoppedAt === undefined) ahead = time - Date.now();
      else stoppedAt = time;
      run();
    },
    stop() {
      stoppedAt = now();
      wind();
    },
    start() {
      ahead = now() - Date.now();
      stoppedAt = undefined;
      wind();
    },
    at(time, task) {
      const entry = { time, task };
      tasks.add(entry);
      wind();
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
