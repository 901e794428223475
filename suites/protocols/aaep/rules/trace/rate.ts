/** A moment at which a rate is exceeded: clearly, which is an error, or slightly. */
export interface Excess {
  /** The index of the first excessive time. */
  index: number;
  why: string;
  isGrave: boolean;
}

/**
 * Finds the moment at which times (in milliseconds, in order) exceed a rate per second. A bucket as large as the rate may empty and refill within a
 * second, so twice the rate is not yet an error. A real excess shows over ten seconds and more.
 */
export function excess(times: readonly number[], rate: number): Excess | undefined {
  let slight: Excess | undefined;
  let from = 0;
  // The highest credit of a window of at least ten seconds.
  let credit = -Infinity;
  let opened = 0;
  // Small numbers keep their digits.
  const [first = 0] = times;
  const at = (index: number): number => ((times[index] ?? Infinity) - first) / 1000;
  for (let index = 0; index < times.length; index += 1) {
    const time = at(index);
    while (at(from) <= time - 1) from += 1;
    const burst = index - from + 1;
    if (burst > 2 * rate + 1)
      return { index, why: `${burst} events within a second, at ${rate} a second`, isGrave: true };
    if (burst > rate + Math.max(1, Math.ceil(0.2 * rate)))
      slight ??= { index, why: `${burst} events within a second, at ${rate} a second`, isGrave: false };
    for (; at(opened) <= time - 10; opened += 1) credit = Math.max(credit, 1.1 * rate * at(opened) - opened);
    if (index + 1 + credit - 1.1 * rate * time > rate + 1e-6)
      return { index, why: `more events over ten seconds and more than ${rate} a second allow`, isGrave: true };
  }
  return slight;
}
