import type { Setting, TimeBound } from "../../../../schemas/index.ts";
import { boundIn } from "../../../running/scenarios/bound.ts";

type A2aBound = "item" | "end" | "work" | "push" | "silence";

/** The maximum waiting times of scenarios. The specification does not define any of them. */
export const bounds: readonly (TimeBound & { name: A2aBound })[] = [
  { name: "item", seconds: 10, says: "the next item of a stream" },
  { name: "end", seconds: 5, says: "the end of a stream after the last state of its task" },
  { name: "work", seconds: 30, says: "the end of a working task" },
  { name: "push", seconds: 10, says: "a call of a webhook" },
  { name: "silence", seconds: 2, says: "a webhook call that must not happen" },
];

/** Returns the milliseconds of a bound, from the configuration or by default, not yet multiplied by `timeScale`. */
export function boundOf({ setting }: { setting: Pick<Setting, "bounds"> }, name: A2aBound): number {
  return boundIn(bounds, setting, name);
}
