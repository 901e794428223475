import { excusedBugs, otherMistake } from "../gate-world.ts";
import type { GateEvent } from "../life.ts";
import { quietOptions } from "../quiet-options.ts";

/** Events in which the machine or the network fails. */
export const troubleEvents: readonly GateEvent[] = [
  {
    name: "1 request in 20 gets a 500",
    act(world) {
      world.hub.trouble = { kind: "500", every: 20 };
      return world.touchstone(...quietOptions);
    },
  },
  {
    name: "1 request in 100 is never answered (a vector without an answer in time is sent once more)",
    act(world) {
      world.hub.trouble = { kind: "hang", every: 100 };
      return world.touchstone(...quietOptions, "--timeout", "10000");
    },
  },
  {
    name: "1 request in 20 gets a 500, `--update-baseline --reason …`",
    act(world) {
      world.hub.trouble = { kind: "500", every: 20 };
      return world.touchstone(...quietOptions, "--update-baseline", "--reason", "a bad day");
    },
  },
  {
    name: "1 request in 20 gets a 500, `--retry 2`",
    act(world) {
      world.hub.trouble = { kind: "500", every: 20 };
      return world.touchstone(...quietOptions, "--retry", "2");
    },
  },
  {
    name: "1 request in 20 gets a 500, `--retry 2`, and `retry.excuses` has `http-status`",
    act(world) {
      world.hub.trouble = { kind: "500", every: 20 };
      world.configure({ retry: { count: 2, excuses: ["http-status"] } });
      return world.touchstone(...quietOptions);
    },
  },
  {
    name: "a regression behind 1 request in 20 with a 500, `--retry 2`",
    act(world) {
      world.hub.broken = new Set([...excusedBugs, otherMistake]);
      world.hub.trouble = { kind: "500", every: 20 };
      return world.touchstone(...quietOptions, "--retry", "2");
    },
  },
  {
    name: "the server is dead",
    async act(world) {
      await world.hub.stop();
      return world.touchstone(...quietOptions, "--update-baseline", "--reason", "a bad day");
    },
  },
  {
    name: "the server never answers, `--deadline 3`",
    act(world) {
      world.hub.trouble = { kind: "silent", every: 1 };
      return world.touchstone(...quietOptions, "--deadline", "3");
    },
  },
  {
    name: "another server answers at the address",
    act(world) {
      world.hub.trouble = { kind: "foreign", every: 1 };
      return world.touchstone(...quietOptions);
    },
  },
  {
    name: "the server of `webServer` ends before it answers",
    async act(world) {
      await world.hub.stop();
      world.configure({ webServer: { command: "echo no store; exit 7", url: world.hub.url } });
      return world.touchstone(...quietOptions);
    },
  },
];
