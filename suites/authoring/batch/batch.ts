import type { Shard } from "../../../schemas/index.ts";
import { type BatchItem, isInShard } from "./plan.ts";
import { type BatchWork, type ItemResult, isDone, workItem } from "./work.ts";

export interface BatchOptions extends BatchWork {
  shard?: Shard | undefined;
  /** How many processes run at the same time. */
  jobs: number;
  /** Called after each item, with the number of finished items and the total. */
  onResult?: (result: ItemResult, done: number, total: number) => void;
}

export interface BatchSummary {
  /** How many items this shard has. */
  total: number;
  /** How many of them had a result before this run. */
  before: number;
  results: ItemResult[];
}

/** Runs the items of a shard that have no result yet. If another process runs the same item, its result is stored only once. */
export async function batch(
  items: readonly BatchItem[],
  { shard, jobs, onResult, ...work }: BatchOptions,
): Promise<BatchSummary> {
  const ownItems = shard === undefined ? items : items.filter((item) => isInShard(shard, item));
  const pending = ownItems.filter((item) => !isDone(work.out, item));
  const before = ownItems.length - pending.length;
  const results: ItemResult[] = [];
  const workNext = async (): Promise<void> => {
    for (let item = pending.shift(); item !== undefined && !work.signal.aborted; item = pending.shift()) {
      if (isDone(work.out, item)) continue;
      const result = await workItem(item, work);
      if (result === undefined) return;
      results.push(result);
      onResult?.(result, before + results.length, ownItems.length);
    }
  };
  await Promise.all(Array.from({ length: jobs }, workNext));
  return { total: ownItems.length, before, results };
}
