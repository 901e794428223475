import { schemasUsed } from "../../../schemas/index.ts";
import { type DecidedInstance, decidedDocuments } from "./decided-documents.ts";
import type { ExportedFile, ExportFormat } from "./format.ts";

/** Files for `jsonschema test`, and the schemas for its option `--resolve`; the tests under `optional/format` need `--format-assertion`. */
export const jsonschemaTest: ExportFormat = {
  name: "jsonschema-test",
  summary: "files for `jsonschema test --resolve DIR/schemas DIR/tests`, with the schemas",
  files({ protocol, set }) {
    const name = `${protocol.name}/${protocol.version}`;
    const documents = decidedDocuments(protocol, set);
    const usedSchemas = new Set(documents.flatMap(({ schema }) => schemasUsed(protocol.schemas, schema)));
    const schemas = [...usedSchemas].map((schema, index): ExportedFile => {
      const documentName = protocol.profile.documents.find((document) => document.schema === schema.$id)?.name;
      return {
        path: `schemas/${name}/${documentName ?? `shared-${index + 1}`}.json`,
        text: `${JSON.stringify(schema, null, 2)}\n`,
        vectors: 0,
      };
    });
    const tests = documents.flatMap(({ document, schema, decided }) => [
      ...testFile(`tests/${name}/${document}.json`, schema, decided.none),
      ...testFile(`optional/format/${name}/${document}.json`, schema, decided.format),
      ...testFile(`optional/bignum/${name}/${document}.json`, schema, decided.bignum),
    ]);
    return [...schemas, ...tests];
  },
};

function testFile(path: string, target: string, decided: readonly DecidedInstance[]): ExportedFile[] {
  if (decided.length === 0) return [];
  const tests = decided.map(({ id, description, data, valid }) => ({
    description: `${id}: ${description}`,
    valid,
    data,
  }));
  return [{ path, text: `${JSON.stringify({ target, tests }, null, 2)}\n`, vectors: tests.length }];
}
