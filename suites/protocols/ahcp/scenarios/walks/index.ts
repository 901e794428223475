export { stepsFrom, walkText } from "./file.ts";
export { racesOf } from "./races.ts";
export { type Detour, walkAlong, walksOf } from "./walks.ts";
