export { operationsMeant } from "./chosen.ts";
export * from "./comparable.ts";
export { isUpToDate, notesOf, plannedIn } from "./current.ts";
export { isDescription } from "./named.ts";
export { type Oddity, oddityInWords } from "./oddities.ts";
export { packFrom } from "./skeleton.ts";
