import type { Result } from "../../../schemas/index.ts";

/** Collects the results of one run as they arrive, for tests that each wait for their own. */
export interface ResultCollector {
  add(result: Result): void;
  /** Marks the run as finished: no further result arrives. */
  end(): void;
  /** Waits until all results with these ids have arrived or the run is over, and returns the existing ones. */
  waitFor(ids: readonly string[]): Promise<Result[]>;
  /** Waits until the run is over, and returns all results. */
  waitForAll(): Promise<Result[]>;
}

interface Waiter {
  missingIds: Set<string>;
  resolve(): void;
}

export function createResultCollector(): ResultCollector {
  const results = new Map<string, Result>();
  const waiters = new Set<Waiter>();
  let endRun = (): void => {};
  const runEnd = new Promise<void>((resolve) => {
    endRun = resolve;
  });
  return {
    add(result) {
      results.set(result.id, result);
      for (const waiter of waiters) {
        waiter.missingIds.delete(result.id);
        if (waiter.missingIds.size === 0) waiter.resolve();
      }
    },
    end: () => endRun(),
    async waitFor(ids) {
      const missingIds = new Set(ids.filter((id) => !results.has(id)));
      if (missingIds.size > 0) {
        let waiter: Waiter | undefined;
        const arrival = new Promise<void>((resolve) => {
          waiter = { missingIds, resolve };
          waiters.add(waiter);
        });
        await Promise.race([arrival, runEnd]);
        if (waiter !== undefined) waiters.delete(waiter);
      }
      return ids.flatMap((id) => results.get(id) ?? []);
    },
    async waitForAll() {
      await runEnd;
      return [...results.values()];
    },
  };
}
