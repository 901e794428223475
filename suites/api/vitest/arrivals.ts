import type { Result } from "../../../schemas/index.ts";

/** Collects the results of one run as they come, for tests that each wait for their own. */
export interface Arrivals {
  take(result: Result): void;
  /** Marks the run as finished: no further result comes. */
  end(): void;
  /** The results with these ids that exist, once all have come or the run is over. */
  of(ids: readonly string[]): Promise<Result[]>;
  /** All results, once the run is over. */
  all(): Promise<Result[]>;
}

export function createArrivals(): Arrivals {
  const there = new Map<string, Result>();
  const waiting = new Set<{ missing: Set<string>; go(): void }>();
  let finish = (): void => {};
  const over = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return {
    take(result) {
      there.set(result.id, result);
      for (const each of waiting) {
        each.missing.delete(result.id);
        if (each.missing.size === 0) each.go();
      }
    },
    end: () => finish(),
    async of(ids) {
      const missing = new Set(ids.filter((id) => !there.has(id)));
      if (missing.size > 0) {
        let mine: { missing: Set<string>; go(): void } | undefined;
        const come = new Promise<void>((go) => {
          mine = { missing, go };
          waiting.add(mine);
        });
        await Promise.race([come, over]);
        if (mine !== undefined) waiting.delete(mine);
      }
      return ids.flatMap((id) => there.get(id) ?? []);
    },
    async all() {
      await over;
      return [...there.values()];
    },
  };
}
