// The part that a program needs before it parses its arguments. The rest is in index.ts, and loads more slowly.
export * from "./error.ts";
export * from "./home.ts";
export { isObject, jsonOf } from "./json.ts";
export { kebab } from "./kebab-case.ts";
export type { Manifest } from "./manifest.ts";
export * from "./nearest-name.ts";
export * from "./own-schemas.ts";
export * from "./packs.ts";
export * as pointer from "./pointer.ts";
export { capabilities } from "./vector.ts";
export { readWhole } from "./whole-file.ts";
