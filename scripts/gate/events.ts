import { bugs } from "./bugs.ts";
import { ofHub } from "./events/hub-events.ts";
import { ofList } from "./events/list-events.ts";
import { ofRun } from "./events/run-events.ts";
import { ofTrouble } from "./events/trouble-events.ts";
import { excusedBugs } from "./gate-world.ts";
import type { GateEvent } from "./life.ts";

/** All events in the life of a gate, in the order of the guide's table. */
export const events: readonly GateEvent[] = [...ofHub, ...ofTrouble, ...ofList, ...ofRun];

/** The mistakes that are not excused. Each must break exactly its rules. */
export const regressions: readonly { name: string; rules: readonly string[] }[] = bugs.filter(
  ({ name }) => !excusedBugs.includes(name),
);
