import { bugs } from "./bugs.ts";
import { ofHub } from "./events/of-hub.ts";
import { ofList } from "./events/of-list.ts";
import { ofRun } from "./events/of-run.ts";
import { ofTrouble } from "./events/of-trouble.ts";
import type { GateEvent } from "./life.ts";
import { excusedBugs } from "./world.ts";

/** The events in the life of a gate, in the order of the guide's table. */
export const events: readonly GateEvent[] = [...ofHub, ...ofTrouble, ...ofList, ...ofRun];

/** Each mistake alone, beside the excused ones: its broken rule, and no other. */
export const regressions: readonly { name: string; rules: readonly string[] }[] = bugs.filter(
  ({ name }) => !excusedBugs.includes(name),
);
