export { isDescription } from "./named.ts";
export { packFrom } from "./skeleton.ts";
