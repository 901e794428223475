export { reasonReportIsPartial } from "../partial-report.ts";
export { applyBaseline, type GateOptions } from "./gate.ts";
export { type KnownStateOf, knownResults, namesOfResults } from "./known-results.ts";
export { formatList } from "./list-text.ts";
export { type Addition, type BaselineUpdate, type UpdateOptions, updateList } from "./update.ts";
