import type { Shard } from "../../../schemas/index.ts";
import { hash } from "./hash.ts";

/** A vector, or a rule of a scenario. */
interface ShardItem {
  id: string;
  scenario?: unknown;
}

/** Whether an item belongs to a shard. Only its id decides, so that filters and added vectors move no other item; the rules of one scenario share a shard, since they are tested together. */
export function isIn({ index, count }: Shard, { id, scenario }: ShardItem): boolean {
  const groupId = scenario === undefined ? id : id.slice(0, id.lastIndexOf("/"));
  return hash(groupId) % count === index - 1;
}
