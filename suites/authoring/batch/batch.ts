import type { Shard } from "../../../schemas/index.ts";
import { type BatchItem, isIn } from "./plan.ts";
import { type BatchWork, type ItemResult, isDone, workItem } from "./work.ts";

export interface BatchOptions extends BatchWork {
  shard?: Shard | undefined;
  /** The number of processes at once. */
  jobs: number;
  /** Called after each item with the number of finished and of all items. */
  onResult?: (result: ItemResult, done: number, total: number) => void;
}

export interface Batched {
  /** How many items this shard has. */
  total: number;
  /** How many of them had a result before. */
  before: number;
  results: ItemResult[];
}

/** Works on the items of a shard that have no result yet. If another process works on the same item, the result has it once. */
export async function batch(
  items: readonly BatchItem[],
  { shard, jobs, onResult, ...work }: BatchOptions,
): Promise<Batched> {
  const ownItems = shard === undefined ? items : items.filter((item) => isIn(shard, item));
  const left = ownItems.filter((item) => !isDone(work.out, item));
  const before = ownItems.length - left.length;
  const results: ItemResult[] = [];
  const next = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined && !work.signal.aborted; item = left.shift()) {
      if (isDone(work.out, item)) continue;
      const result = await workItem(item, work);
      if (result === undefined) return;
      results.push(result);
      onResult?.(result, before + results.length, ownItems.length);
    }
  };
  await Promise.all(Array.from({ length: jobs }, next));
  return { total: ownItems.length, before, results };
}
