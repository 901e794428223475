import type { Shard } from "../../schemas/index.ts";
import { hash } from "./hash.ts";

/**
 * Whether a vector, or a rule of a scenario, belongs to a shard. Its id alone decides, so that no filter and no vector that is
 * added moves another; the rules of one scenario stay together, since they are found out together.
 */
export function isIn({ index, count }: Shard, id: string): boolean {
  const [, scenario = id] = /^(.*\/scenarios\/[^/]+)\//.exec(id) ?? [];
  return hash(scenario) % count === index - 1;
}
