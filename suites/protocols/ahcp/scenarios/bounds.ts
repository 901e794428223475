import type { Setting, TimeBound } from "../../../../schemas/index.ts";
import { boundIn } from "../../../running/scenarios/bound.ts";

type AhcpBound = "first-push" | "moved-push" | "next-push" | "no-push" | "expiry" | "held-read";

/** How long scenarios wait. The specification does not define any of these times. For expiries, position A-69 defines one. */
export const bounds: readonly (TimeBound & { name: AhcpBound })[] = [
  { name: "first-push", seconds: 120, says: "the first push of an outcome, in real time" },
  {
    name: "moved-push",
    seconds: 5,
    says: 'the same if the hook `clock` moves pushes (`"pushes": true`): two days of that clock, and then in real time',
  },
  { name: "next-push", seconds: 120, says: "the next attempt at a push, if no clock brings it" },
  {
    name: "no-push",
    seconds: 30,
    says: "silence, if no push may come; longer if earlier pushes were late: twice their delay",
  },
  { name: "expiry", seconds: 10, says: "an expiry, after its deadline (position A-69)" },
  { name: "held-read", seconds: 5, says: "the answer to a read that is held, once the message has ended" },
];

/** The milliseconds of a bound, from the configuration or by default, before `timeScale` is applied. */
export function boundOf({ setting }: { setting: Pick<Setting, "bounds"> }, name: AhcpBound): number {
  return boundIn(bounds, setting, name);
}
