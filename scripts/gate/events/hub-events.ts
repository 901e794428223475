import { excusedBugs, otherMistake } from "../gate-world.ts";
import type { GateEvent } from "../life.ts";
import { quietOptions } from "../quiet-options.ts";

/** Events in which the implementation changes. */
export const hubEvents: readonly GateEvent[] = [
  { name: "nothing has changed", act: (world) => world.touchstone(...quietOptions) },
  {
    name: "a regression",
    act(world) {
      world.hub.broken = new Set([...excusedBugs, otherMistake]);
      return world.touchstone(...quietOptions);
    },
  },
  {
    name: "a regression, and the printed command is run",
    async act(world) {
      world.hub.broken = new Set([...excusedBugs, otherMistake]);
      return world.runPrintedCommand(await world.touchstone(...quietOptions), "To leave what is new for now");
    },
  },
  {
    name: "a fix",
    act(world) {
      world.hub.broken = new Set(excusedBugs.slice(1));
      return world.touchstone(...quietOptions);
    },
  },
  {
    name: "a fix, and the printed command is run",
    async act(world) {
      world.hub.broken = new Set(excusedBugs.slice(1));
      return world.runPrintedCommand(await world.touchstone(...quietOptions), "To make the list fit");
    },
  },
  {
    name: "a fix and a regression",
    act(world) {
      world.hub.broken = new Set([...excusedBugs.slice(1), otherMistake]);
      return world.touchstone(...quietOptions);
    },
  },
  {
    name: "a fix and a regression, `--update-baseline` without `--reason`",
    act(world) {
      world.hub.broken = new Set([...excusedBugs.slice(1), otherMistake]);
      return world.touchstone(...quietOptions, "--update-baseline");
    },
  },
  {
    name: "refusals have other words",
    act(world) {
      world.hub.isReworded = true;
      return world.touchstone(...quietOptions);
    },
  },
];
