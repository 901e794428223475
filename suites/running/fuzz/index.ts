export type { FuzzFinding } from "./document.ts";
export { type FuzzOptions, type FuzzRun, fuzz } from "./fuzz.ts";
export { saveFindings, writeWithFolders } from "./saved-vectors.ts";
export { type FuzzSuiteOptions, fuzzSuite, type ProtocolFindings } from "./suite.ts";
