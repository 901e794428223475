export { matchOperations } from "./chosen.ts";
export * from "./comparable.ts";
export { isUpToDate, notesOf, readPlan } from "./current.ts";
export { isDescription } from "./named.ts";
export { describeOddity, type Oddity } from "./oddities.ts";
export { packFrom } from "./skeleton.ts";
