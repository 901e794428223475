/** The listeners of each shared signal, in the order of their addition. */
const listenersBySignal = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `act` once when the signal aborts, unless cancelled before. All callers share one real listener per signal: adding and removing one is slower than most other work for a question. */
export function whenAborted(signal: AbortSignal, act: () => void): () => void {
  const listeners = listenersBySignal.get(signal);
  const all = listeners ?? new Set();
  if (listeners === undefined) {
    listenersBySignal.set(signal, all);
    const callAll = (): void => {
      for (const each of all) each();
    };
    signal.addEventListener("abort", callAll, { once: true });
  }
  all.add(act);
  return () => all.delete(act);
}

/** How many listeners a signal has. A listener that is never cancelled is kept as long as the signal. */
export function countWaiting(signal: AbortSignal): number {
  return listenersBySignal.get(signal)?.size ?? 0;
}
