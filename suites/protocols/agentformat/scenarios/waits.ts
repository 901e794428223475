import type { Setting, TimeBound } from "../../../../schemas/index.ts";
import { boundIn } from "../../../running/scenarios/bound.ts";

type AgentFormatBound = "call" | "silence";

/** The times that scenarios wait. The specification defines none of them. */
export const bounds: readonly (TimeBound & { name: AgentFormatBound })[] = [
  { name: "call", seconds: 10, says: "the next call of a runtime, or the end of its run" },
  {
    name: "silence",
    seconds: 9,
    says: "silence, if no call may come yet: three times as long as the slowest call so far",
  },
];

/** The milliseconds of a bound, from the configuration or by default, before `timeScale` multiplies them. */
export function boundOf({ setting }: { setting: Pick<Setting, "bounds"> }, name: AgentFormatBound): number {
  return boundIn(bounds, setting, name);
}
