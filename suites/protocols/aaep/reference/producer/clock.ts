/** The purpose of a timer: the deadline of a question, or the duration of work. */
export type Timer = "deadline" | "work";

/** The producer's own time, which can be moved forward. */
export interface ProducerClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Moves the time forward. The timers that are due in between run in order, each at its own time. */
  advance(milliseconds: number): void;
  /** Schedules a function after this many milliseconds. The returned function cancels it. */
  after(milliseconds: number, act: () => void, timer?: Timer): () => void;
  close(): void;
}

/** Starts the clock. Timers that are not moved follow the wall clock; timers of work follow it at this scale. */
export function startClock(isMoved: (timer: Timer) => boolean = () => true, scale = 1): ProducerClock {
  let ahead = 0;
  /** The time of the running timer during a move. */
  let held: number | undefined;
  const due = new Set<TimedAct>();
  const now = (): number => held ?? Date.now() + ahead;
  const run = (entry: TimedAct): void => {
    clearTimeout(entry.timer);
    if (due.delete(entry)) entry.act();
  };
  return {
    now,
    advance(milliseconds) {
      const goal = now() + milliseconds;
      for (;;) {
        const [next] = [...due].filter(({ time, moved }) => moved && time <= goal).sort((a, b) => a.time - b.time);
        if (next === undefined) break;
        held = Math.max(now(), next.time);
        run(next);
      }
      held = undefined;
      ahead = goal - Date.now();
      for (const entry of due) {
        if (!entry.moved) continue;
        clearTimeout(entry.timer);
        entry.timer = setTimeout(() => run(entry), entry.time - goal);
        entry.timer.unref();
      }
    },
    after(milliseconds, act, kind = "work") {
      const moved = isMoved(kind);
      const timer = setTimeout(() => run(entry), milliseconds * (moved || kind === "deadline" ? 1 : scale));
      const entry: TimedAct = { time: now() + milliseconds, act, timer, moved };
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

interface TimedAct {
  time: number;
  act: () => void;
  timer: NodeJS.Timeout;
  moved: boolean;
}
