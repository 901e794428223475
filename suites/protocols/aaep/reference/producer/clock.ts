/** The producer's own time, which can be put forward. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Puts it forward; what falls due on the way is done at its own moment, in order. */
  advance(milliseconds: number): void;
  /** Does something so many milliseconds from now; the function returned forgets it. */
  after(milliseconds: number, act: () => void): () => void;
  close(): void;
}

export function startClock(): Clock {
  let ahead = 0;
  /** While it is put forward, the moment of what is due. */
  let held: number | undefined;
  const due = new Set<{ time: number; act: () => void; timer: NodeJS.Timeout }>();
  const now = (): number => held ?? Date.now() + ahead;
  const run = (entry: { time: number; act: () => void; timer: NodeJS.Timeout }): void => {
    clearTimeout(entry.timer);
    if (due.delete(entry)) entry.act();
  };
  return {
    now,
    advance(milliseconds) {
      const goal = now() + milliseconds;
      for (;;) {
        const [next] = [...due].filter(({ time }) => time <= goal).sort((a, b) => a.time - b.time);
        if (next === undefined) break;
        held = Math.max(now(), next.time);
        run(next);
      }
      held = undefined;
      ahead = goal - Date.now();
      for (const entry of due) {
        clearTimeout(entry.timer);
        entry.timer = setTimeout(() => run(entry), entry.time - goal);
        entry.timer.unref();
      }
    },
    after(milliseconds, act) {
      const entry = { time: now() + milliseconds, act, timer: setTimeout(() => run(entry), milliseconds) };
      entry.timer.unref();
      due.add(entry);
      return () => {
        clearTimeout(entry.timer);
        due.delete(entry);
      };
    },
    close() {
      for (const { timer } of due) clearTimeout(timer);
      due.clear();
    },
  };
}
