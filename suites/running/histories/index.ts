export { type Checked, check, checkOne, usualSteps, type Verdict } from "./check.ts";
export { forgotten, type History, type Operation, partitioned, type SequentialModel } from "./history.ts";
export { type Smallest, smallestIllegal } from "./smallest.ts";
