export * from "./load.ts";
export * from "./select.ts";
