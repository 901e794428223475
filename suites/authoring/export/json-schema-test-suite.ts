import { dialectOf, type JsonObject, type Protocol, schemasUsed } from "../../../schemas/index.ts";
import { type DecidedInstance, decidedDocuments } from "./decided-documents.ts";
import type { ExportedFile, ExportFormat } from "./format.ts";

/** Files in the format and folders of the JSON Schema Test Suite: validators and their harnesses read them unchanged. Each file contains its schema with all referenced schemas. Tests that need more than the keywords are in `optional`, as in the suite. */
export const jsonSchemaTestSuite: ExportFormat = {
  name: "json-schema-test-suite",
  summary: "files as the JSON Schema Test Suite has them, each with its schema",
  files({ protocol, set }) {
    return decidedDocuments(protocol, set).flatMap(({ document, title, schema, decided }) => {
      const bundledSchema = bundleSchemas(protocol, schema);
      const folder = `tests/draft${dialectOf(bundledSchema.$schema)?.name.replace("draft-0", "") ?? "2020-12"}`;
      const name = `${protocol.name}/${protocol.version}/${document}.json`;
      const group = { description: `${protocol.profile.title} ${protocol.version}, ${title}`, schema: bundledSchema };
      return [
        ...testFile(`${folder}/${name}`, group, decided.none),
        ...testFile(`${folder}/optional/format/${name}`, group, decided.format),
        ...testFile(`${folder}/optional/bignum/${name}`, group, decided.bignum),
      ];
    });
  },
};

function testFile(
  path: string,
  group: { description: string; schema: JsonObject },
  decided: readonly DecidedInstance[],
): ExportedFile[] {
  if (decided.length === 0) return [];
  const tests = decided.map(({ id, description, data, valid }) => ({
    description: id,
    comment: description,
    data,
    valid,
  }));
  return [{ path, text: `${JSON.stringify([{ ...group, tests }], null, 2)}\n`, vectors: tests.length }];
}

/** A schema that contains everything that the entry refers to, each under its `$id`. */
function bundleSchemas({ schemas }: Protocol, entry: string): JsonObject {
  const usedSchemas = schemasUsed(schemas, entry);
  const [first] = usedSchemas;
  if (usedSchemas.length === 1 && first !== undefined) return first;
  const entrySchema = usedSchemas.find(({ $id }) => $id === entry);
  // This works in every dialect: `$ref` has no sibling keywords, and all dialects know `definitions`.
  return {
    ...(entrySchema?.$schema === undefined ? {} : { $schema: entrySchema.$schema }),
    allOf: [{ $ref: entry }],
    definitions: Object.fromEntries(usedSchemas.map((schema) => [String(schema.$id), schema])),
  };
}
