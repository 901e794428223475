import { AsyncLocalStorage } from "node:async_hooks";

/** The time limit in milliseconds for closing one resource of a scenario. */
const maxClosingMs = 5000;

// Distinguishes requests that close something from requests of a scenario that continues after its end.
const closingSignals = new AsyncLocalStorage<AbortSignal>();

/** Returns the signal for requests within `closeAll`, since the scenario's own signal may have aborted. Undefined outside `closeAll`. */
export function closingSignal(): AbortSignal | undefined {
  return closingSignals.getStore();
}

/** Closes the connections and servers of a scenario, the last one first. A close that fails or hangs is ignored: the findings of the scenario stay. */
export function closeAll(closers: (() => Promise<void> | void)[]): Promise<void> {
  return closingSignals.run(AbortSignal.timeout(maxClosingMs), () => closeEach(closers));
}

async function closeEach(closers: (() => Promise<void> | void)[]): Promise<void> {
  for (let close = closers.pop(); close !== undefined; close = closers.pop()) {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, maxClosingMs);
    });
    try {
      await Promise.race([close(), timeout]);
    } catch {
      // A close that fails is ignored.
    } finally {
      clearTimeout(timer);
    }
  }
}
