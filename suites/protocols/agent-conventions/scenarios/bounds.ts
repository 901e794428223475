import type { Setting, TimeBound } from "../../../../schemas/index.ts";
import { boundIn } from "../../../running/scenarios/bound.ts";

type ConventionsBound = "message" | "moved-message" | "moved-cue" | "silence";

/** How long scenarios wait. The specification sets no limits. */
export const bounds: readonly (TimeBound & { name: ConventionsBound })[] = [
  { name: "message", seconds: 5, says: "a message that is due, in real time" },
  { name: "moved-message", seconds: 90, says: "the same of an agent, by its clock if the hook `clock` moves it" },
  {
    name: "moved-cue",
    seconds: 30,
    says: "the next message of a cue, by the clock of a hub that the hook `clock` moves",
  },
  {
    name: "silence",
    seconds: 5,
    says: "silence of a hub that must wait, if no clock moves it: twice as long as its slowest message so far",
  },
];

/** Milliseconds of a bound, from the configuration or by default, before they are multiplied by `timeScale`. */
export function boundOf({ setting }: { setting: Pick<Setting, "bounds"> }, name: ConventionsBound): number {
  return boundIn(bounds, setting, name);
}
