import type { Shard } from "../../../schemas/index.ts";
import { hash } from "./hash.ts";

/** A vector, or a rule of a scenario. */
interface ShardItem {
  id: string;
  scenario?: unknown;
}

/** Whether an item belongs to a shard. Only the id decides, so that filters and added vectors do not move other items. The rules of one scenario share a shard, because they are tested together. */
export function isIn({ index, count }: Shard, { id, scenario }: ShardItem): boolean {
  const groupId = scenario === undefined ? id : id.slice(0, id.lastIndexOf("/"));
  return hash(groupId) % count === index - 1;
}
