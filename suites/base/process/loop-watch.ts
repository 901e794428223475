/** Milliseconds between two beats of a watch. */
const beatMs = 20;

/** A beat that is late by at most these milliseconds is in time: timers are not exact, and processes take turns. */
const slackMs = 50;

/** Latenesses within these milliseconds belong together. */
const windowMs = 1000;

/** Watches the event loop of this process, from its start until it is stopped. */
export interface LoopWatch {
  /** The most milliseconds within one second that the loop was held up, by work of this process or for want of a processor; a longer delay counts as a whole. */
  longestDelay(): number;
  stop(): void;
}

/** Begins to watch the event loop. `now` is a monotonic clock in milliseconds. */
export function watchLoop(now: () => number = () => performance.now()): LoopWatch {
  let lastBeat = now();
  let longest = 0;
  let late: { at: number; milliseconds: number }[] = [];
  const look = (isBeat: boolean): void => {
    const at = now();
    const milliseconds = at - lastBeat - beatMs;
    if (isBeat || milliseconds > slackMs) lastBeat = at;
    if (milliseconds <= slackMs) return;
    late = [...late.filter((each) => each.at > at - windowMs), { at, milliseconds }];
    longest = Math.max(
      longest,
      late.reduce((sum, each) => sum + each.milliseconds, 0),
    );
  };
  const timer = setInterval(look, beatMs, true).unref();
  return {
    longestDelay() {
      look(false);
      return Math.round(longest);
    },
    stop: () => clearInterval(timer),
  };
}
