import type { Setting, TimeBound } from "../../../../schemas/index.ts";
import { boundIn } from "../../../running/scenarios/bound.ts";

type ConventionsBound = "message" | "moved-message" | "moved-cue" | "silence";

/** How long scenarios wait. The specification does not define any of these times. */
export const bounds: readonly (TimeBound & { name: ConventionsBound })[] = [
  { name: "message", seconds: 5, says: "a message that is due, in real time" },
  {
    name: "moved-message",
    seconds: 90,
    says: "a message that is due from an agent, by its clock if the hook `clock` moves it",
  },
  {
    name: "moved-cue",
    seconds: 30,
    says: "the next message of a cue, by the clock of a hub that the hook `clock` moves",
  },
  {
    name: "silence",
    seconds: 5,
    says: "the wait for a message that a hub must not send yet, in real time: twice as long as its slowest message so far",
  },
];

/** A bound in milliseconds, as configured or by default, before `timeScale` multiplies it. */
export function boundOf({ setting }: { setting: Pick<Setting, "bounds"> }, name: ConventionsBound): number {
  return boundIn(bounds, setting, name);
}
