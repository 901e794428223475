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

/** Starts the clock. Timers that cannot be moved follow the wall clock. If they time work, `scale` multiplies their duration. */
export function startClock(canMove: (timer: Timer) => boolean = () => true, scale = 1): ProducerClock {
  let offset = 0;
  /** While the clock is being moved: the time of the timer that is running. */
  let timeInMove: number | undefined;
  const pendingActs = new Set<TimedAct>();
  const now = (): number => timeInMove ?? Date.now() + offset;
  const runAct = (entry: TimedAct): void => {
    clearTimeout(entry.timer);
    if (pendingActs.delete(entry)) entry.act();
  };
  return {
    now,
    advance(milliseconds) {
      const targetTime = now() + milliseconds;
      for (;;) {
        const [nextAct] = [...pendingActs]
          .filter(({ time, isMovable }) => isMovable && time <= targetTime)
          .sort((a, b) => a.time - b.time);
        if (nextAct === undefined) break;
        timeInMove = Math.max(now(), nextAct.time);
        runAct(nextAct);
      }
      timeInMove = undefined;
      offset = targetTime - Date.now();
      for (const entry of pendingActs) {
        if (!entry.isMovable) continue;
        clearTimeout(entry.timer);
        entry.timer = setTimeout(() => runAct(entry), entry.time - targetTime);
        entry.timer.unref();
      }
    },
    after(milliseconds, act, timerKind = "work") {
      const isMovable = canMove(timerKind);
      const timer = setTimeout(() => runAct(entry), milliseconds * (isMovable || timerKind === "deadline" ? 1 : scale));
      const entry: TimedAct = { time: now() + milliseconds, act, timer, isMovable };
      entry.timer.unref();
      pendingActs.add(entry);
      return () => {
        clearTimeout(entry.timer);
        pendingActs.delete(entry);
      };
    },
    close() {
      for (const { timer } of pendingActs) clearTimeout(timer);
      pendingActs.clear();
    },
  };
}

interface TimedAct {
  time: number;
  act: () => void;
  timer: NodeJS.Timeout;
  isMovable: boolean;
}
