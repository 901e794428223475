import type { Setting, TimeBound } from "../../../../schemas/index.ts";
import { boundIn } from "../../../running/scenarios/bound.ts";

type SnapBound = "stream" | "socket" | "relay" | "rest";

/** How long scenarios wait. The specification does not set any of these times. */
export const bounds: readonly (TimeBound & { name: SnapBound })[] = [
  { name: "stream", seconds: 8, says: "the next event of a stream, or its end" },
  { name: "socket", seconds: 8, says: "an answer on a WebSocket" },
  {
    name: "relay",
    seconds: 8,
    says: "a request or message of a party to a relay; twice as long for a message to an agent that the party must find first",
  },
  {
    name: "rest",
    seconds: 10,
    says: "a task without further work, by the agent's clock if the hook `clock` moves it",
  },
];

/** Returns the milliseconds of a bound, from the configuration or by default, before `timeScale` multiplies them. */
export function boundOf({ setting }: { setting: Pick<Setting, "bounds"> }, name: SnapBound): number {
  return boundIn(bounds, setting, name);
}
