export { partOnly } from "../partial-report.ts";
export { applyBaseline as gated, type GateOptions } from "./gate.ts";
export { type Knows, knownResults, namesOfResults } from "./known-results.ts";
export { listText } from "./list-text.ts";
export { type Addition, type Updated, type UpdateOptions, updateList as updated } from "./update.ts";
