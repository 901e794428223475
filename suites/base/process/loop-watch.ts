/** Milliseconds between two beats of a watch. */
const beatMs = 20;

/** A beat that is late by at most this many milliseconds counts as on time: timers are not exact, and processes share processors. */
const slackMs = 50;

/** Delays within this many milliseconds are added up. */
const windowMs = 1000;

/** Watches the event loop of this process, from its start until it is stopped. */
export interface LoopWatch {
  /** The largest total delay of the loop within one second, in milliseconds, caused by work of this process or by other processes. A single longer delay counts as a whole. */
  longestDelay(): number;
  stop(): void;
}

/** Begins to watch the event loop. `now` is a monotonic clock in milliseconds. */
export function watchLoop(now: () => number = () => performance.now()): LoopWatch {
  let lastBeat = now();
  let longestDelay = 0;
  let recentDelays: { at: number; milliseconds: number }[] = [];
  const check = (isBeat: boolean): void => {
    const at = now();
    const delay = at - lastBeat - beatMs;
    if (isBeat || delay > slackMs) lastBeat = at;
    if (delay <= slackMs) return;
    recentDelays = [...recentDelays.filter((delay) => delay.at > at - windowMs), { at, milliseconds: delay }];
    longestDelay = Math.max(
      longestDelay,
      recentDelays.reduce((sum, delay) => sum + delay.milliseconds, 0),
    );
  };
  const timer = setInterval(check, beatMs, true).unref();
  return {
    longestDelay() {
      check(false);
      return Math.round(longestDelay);
    },
    stop: () => clearInterval(timer),
  };
}
