export { namedFor } from "./named.ts";
export { addNamed } from "./sources.ts";
