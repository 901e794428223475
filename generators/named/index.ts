export { namedFor } from "./families.ts";
export { addNamed } from "./sources.ts";
