export * from "./comparable.ts";
export { isUpToDate } from "./current.ts";
export { isDescription } from "./named.ts";
export { packFrom } from "./skeleton.ts";
