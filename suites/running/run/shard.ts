import type { Shard } from "../../../schemas/index.ts";
import { hash } from "./hash.ts";

/** A vector, or a rule of a scenario. */
interface Dealt {
  id: string;
  scenario?: unknown;
}

/**
 * Whether something belongs to a shard. Its id alone decides, so that no filter and no vector that is added moves another; the rules of
 * one scenario go by the id of the scenario, since they are found out together.
 */
export function isIn({ index, count }: Shard, { id, scenario }: Dealt): boolean {
  const whole = scenario === undefined ? id : id.slice(0, id.lastIndexOf("/"));
  return hash(whole) % count === index - 1;
}
