/** The listeners of each shared signal, in the order of their addition. */
const listenersBySignal = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls the listener once when the signal aborts; the returned function cancels it. All callers share one real listener per signal, because adding and removing one is slow. */
export function whenAborted(signal: AbortSignal, listener: () => void): () => void {
  const listeners = listenersBySignal.get(signal);
  const allListeners = listeners ?? new Set();
  if (listeners === undefined) {
    listenersBySignal.set(signal, allListeners);
    const callListeners = (): void => {
      for (const listener of allListeners) listener();
    };
    signal.addEventListener("abort", callListeners, { once: true });
  }
  allListeners.add(listener);
  return () => allListeners.delete(listener);
}

/** Counts the listeners of a signal. A listener that is never cancelled is kept as long as the signal. */
export function countListeners(signal: AbortSignal): number {
  return listenersBySignal.get(signal)?.size ?? 0;
}
