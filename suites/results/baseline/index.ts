export { partOnly } from "../whole.ts";
export { type GateOptions, gated } from "./gate.ts";
export { type Knows, knowing, namesIn } from "./know.ts";
export { type Addition, type Updated, type UpdateOptions, updated } from "./update.ts";
export { listText } from "./written.ts";
