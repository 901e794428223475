const longWindowSeconds = 10;
const roundingTolerance = 1e-6;

/** An event that exceeds a rate: clearly, which is an error, or slightly, which deserves a warning. */
export interface RateExcess {
  /** The index of the first excessive time. */
  index: number;
  why: string;
  isClear: boolean;
}

/**
 * Finds the first time at which the sorted times, in milliseconds, exceed a rate per second. A token bucket as large as the rate may be emptied and
 * refilled within a second, so twice the rate is not yet an error. Over ten seconds or more, a real excess shows.
 */
export function findExcess(times: readonly number[], rate: number): RateExcess | undefined {
  const longRate = 1.1 * rate;
  let slightExcess: RateExcess | undefined;
  let windowStart = 0;
  // The highest credit of a window of at least ten seconds.
  let credit = -Infinity;
  let longWindowStart = 0;
  // Times are counted from the first one, so that fractions keep their precision.
  const [firstTime = 0] = times;
  const secondsAt = (index: number): number => ((times[index] ?? Infinity) - firstTime) / 1000;
  for (let index = 0; index < times.length; index += 1) {
    const time = secondsAt(index);
    while (secondsAt(windowStart) <= time - 1) windowStart += 1;
    const burst = index - windowStart + 1;
    if (burst > 2 * rate + 1)
      return { index, why: `${burst} events within a second, at ${rate} a second`, isClear: true };
    if (burst > rate + Math.max(1, Math.ceil(0.2 * rate)))
      slightExcess ??= { index, why: `${burst} events within a second, at ${rate} a second`, isClear: false };
    for (; secondsAt(longWindowStart) <= time - longWindowSeconds; longWindowStart += 1)
      credit = Math.max(credit, longRate * secondsAt(longWindowStart) - longWindowStart);
    if (index + 1 + credit - longRate * time > rate + roundingTolerance)
      return { index, why: `more events within ten or more seconds than ${rate} a second allow`, isClear: true };
  }
  return slightExcess;
}
