/** Those who wait for a signal that many share, one after another. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls once when a signal aborts, until it is told to wait no longer. The signal has one listener of ours, since to add and to remove one takes
 * longer than most of what else a question needs.
 */
export function whenAborted(signal: AbortSignal, act: () => void): () => void {
  const there = waiting.get(signal);
  const all = there ?? new Set();
  if (there === undefined) {
    waiting.set(signal, all);
    const callAll = (): void => {
      for (const each of all) each();
    };
    signal.addEventListener("abort", callAll, { once: true });
  }
  all.add(act);
  return () => all.delete(act);
}

/** How many wait for a signal: who leaves without a word is kept as long as the signal is. */
export function countWaiting(signal: AbortSignal): number {
  return waiting.get(signal)?.size ?? 0;
}
