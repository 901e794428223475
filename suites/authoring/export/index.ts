import type { ExportFormat } from "./format.ts";
import { jsonSchemaTestSuite } from "./json-schema-test-suite.ts";
import { jsonschemaTest } from "./jsonschema-test.ts";
import { vectorFiles } from "./vector-files.ts";

export type { ExportedFile, ExportFormat } from "./format.ts";
export { findOutdated, removeFiles } from "./outdated.ts";
export { checksumsOf } from "./sums.ts";

/** Every format of exported vectors, the set's own first. */
export const exportFormats: readonly ExportFormat[] = [vectorFiles, jsonSchemaTestSuite, jsonschemaTest];
