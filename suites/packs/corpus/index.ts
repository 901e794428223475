export { type LineOf, linesOf, ownFolder } from "./lines.ts";
export * from "./load.ts";
export * from "./select.ts";
