import { bugs } from "./bugs.ts";
import { hubEvents } from "./events/hub-events.ts";
import { listEvents } from "./events/list-events.ts";
import { runEvents } from "./events/run-events.ts";
import { troubleEvents } from "./events/trouble-events.ts";
import { excusedBugs } from "./gate-world.ts";
import type { GateEvent } from "./life.ts";

/** All events in the life of a gate, in the order of the guide's table. */
export const events: readonly GateEvent[] = [...hubEvents, ...troubleEvents, ...listEvents, ...runEvents];

/** The mistakes that are not excused. Each must break exactly its rules. */
export const regressions: readonly { name: string; rules: readonly string[] }[] = bugs.filter(
  ({ name }) => !excusedBugs.includes(name),
);
