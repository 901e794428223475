export { commandTarget } from "./command.ts";
export { type HttpOptions, httpTarget } from "./http.ts";
export { moduleTarget } from "./module.ts";
export { referenceTarget } from "./reference.ts";
export * from "./target.ts";
export { targetFrom } from "./target-from.ts";
