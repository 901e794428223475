export { type CompareOptions, compareVersions } from "./compare.ts";
export type { CompareFormat } from "./format.ts";
export { formats, sinksFor } from "./formats.ts";
export type { VersionComparison } from "./result.ts";
export { setFormats } from "./set-words.ts";
export { compareVectorSets, isVectorSet } from "./sets.ts";
export { writeVectors } from "./vectors.ts";
export { pairsOf } from "./versions.ts";
