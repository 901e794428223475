export { type LineOf, linesOf, ownFolder } from "./lines.ts";
export * from "./load.ts";
export { loadOutlines } from "./outlines.ts";
export * from "./select.ts";
