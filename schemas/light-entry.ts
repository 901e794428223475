// What a program needs before it knows what it is asked for. The rest is in index.ts, and takes longer to load.
export * from "./error.ts";
export * from "./home.ts";
export { isObject } from "./json.ts";
export { kebab } from "./kebab-case.ts";
export type { Manifest } from "./manifest.ts";
export * from "./packs.ts";
export * as pointer from "./pointer.ts";
