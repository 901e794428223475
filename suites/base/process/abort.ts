/** Those who wait for a signal that many share, one after another. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls once when a signal aborts, until cancelled. The signal has one listener of ours, since adding and removing one is slower than most
 * other work for a question.
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
