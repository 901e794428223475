export { conformanceFrom } from "./configured.ts";
export { conformance } from "./conformance.ts";
export type { ConformanceOptions } from "./options.ts";
