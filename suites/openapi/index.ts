export { isUpToDate } from "./current.ts";
export { addressOf, pathNames } from "./exchange.ts";
export { isDescription } from "./named.ts";
export { packFrom } from "./skeleton.ts";
