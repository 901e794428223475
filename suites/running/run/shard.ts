import type { Shard } from "../../../schemas/index.ts";
import { hash } from "./hash.ts";

/** A vector, or a rule of a scenario. */
interface Dealt {
  id: string;
  scenario?: unknown;
}

/** Whether an item belongs to a shard. Only its id decides, so that filters and added vectors move no other item; the rules of one scenario go by the id of the scenario, since they are tested together. */
export function isIn({ index, count }: Shard, { id, scenario }: Dealt): boolean {
  const caseId = scenario === undefined ? id : id.slice(0, id.lastIndexOf("/"));
  return hash(caseId) % count === index - 1;
}
