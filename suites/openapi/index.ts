export * from "./comparable.ts";
export { isUpToDate } from "./current.ts";
export { isDescription } from "./named.ts";
export { type Oddity, oddityInWords } from "./oddities.ts";
export { packFrom } from "./skeleton.ts";
