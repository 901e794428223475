import type { Setting, TimeBound } from "../../../../schemas/index.ts";
import { boundIn } from "../../../running/scenarios/bound.ts";

type AgentFormatBound = "call" | "silence";

/** How long scenarios wait. The specification does not define any of these times. */
export const bounds: readonly (TimeBound & { name: AgentFormatBound })[] = [
  { name: "call", seconds: 10, says: "the next call of a runtime, or the end of its run" },
  {
    name: "silence",
    seconds: 9,
    says: "the wait for a call that must not arrive: three times as long as the slowest call so far",
  },
];

/** A bound in milliseconds, as configured or by default, before `timeScale` multiplies it. */
export function boundOf({ setting }: { setting: Pick<Setting, "bounds"> }, name: AgentFormatBound): number {
  return boundIn(bounds, setting, name);
}
