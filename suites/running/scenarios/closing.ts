import { AsyncLocalStorage } from "node:async_hooks";

/** The time limit in milliseconds for closing one resource of a scenario. */
const maxClosingMs = 5000;

// Distinguishes the requests that close something from requests of a scenario that continues after its end.
const closing = new AsyncLocalStorage<AbortSignal>();

/** The limit of the requests that close something, for calls from within `closeAll`; the signal of the scenario is over by then. */
export function closingSignal(): AbortSignal | undefined {
  return closing.getStore();
}

/** Closes the connections and servers of a scenario, the last one first. A close that fails or hangs is ignored: the findings of the scenario stay. */
export function closeAll(open: (() => Promise<void> | void)[]): Promise<void> {
  return closing.run(AbortSignal.timeout(maxClosingMs), () => closeEach(open));
}

async function closeEach(open: (() => Promise<void> | void)[]): Promise<void> {
  for (let last = open.pop(); last !== undefined; last = open.pop()) {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, maxClosingMs);
    });
    try {
      await Promise.race([last(), timeout]);
    } catch {
      // A close that fails is ignored.
    } finally {
      clearTimeout(timer);
    }
  }
}
