import type { Scenario } from "../../../../../schemas/index.ts";
import { choosing } from "./choosing.ts";
import { reading } from "./reading.ts";
import { requests } from "./requests.ts";
import { signatures } from "./signatures.ts";

/** Scenarios in which the suite plays the agent of a client, in the order in which they are played. */
export const clientScenarios: readonly Scenario[] = [...requests, ...choosing, ...reading, ...signatures];
