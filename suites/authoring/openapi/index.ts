export { matchOperations } from "./chosen-operations.ts";
export * from "./comparable.ts";
export { isDescription } from "./description-names.ts";
export { describeOddity, type Oddity } from "./oddities.ts";
export { isUpToDate, readNotes, readPlan } from "./origins.ts";
export { packFrom } from "./skeleton.ts";
