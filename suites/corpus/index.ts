export { type LineOf, linesOf } from "./lines.ts";
export * from "./load.ts";
export * from "./select.ts";
