import type { Scenario } from "../../../../schemas/index.ts";
import { bounds } from "./bounds.ts";
import { conditions } from "./conditions.ts";
import { consent } from "./consent.ts";
import { data } from "./data.ts";
import { declared } from "./declared.ts";
import { delegation } from "./delegation.ts";
import { loopExits, loops } from "./loops.ts";
import { mappings } from "./mappings.ts";
import { memory } from "./memory.ts";
import { outputs } from "./outputs.ts";
import { policies } from "./policies.ts";
import { react } from "./react.ts";

export { bounds } from "./waits.ts";

/** The scenarios in the order of play: causes before consequences. */
export const scenarios: readonly Scenario[] = [
  ...conditions,
  ...policies,
  ...loops,
  ...mappings,
  ...loopExits,
  ...data,
  ...outputs,
  ...declared,
  ...react,
  ...bounds,
  ...memory,
  ...consent,
  ...delegation,
];

export const takesCommand = true;
