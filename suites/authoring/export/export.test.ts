import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, it } from "vitest";
import {
  digestOf,
  formerIds,
  isObject,
  type JsonObject,
  ownVectors,
  type Protocol,
  protocolNamed,
  protocolsNamed,
} from "../../../schemas/index.ts";
import { loadVectors, type VectorSet } from "../../packs/corpus/index.ts";
import { vector } from "../../packs/corpus/sample.fixture.ts";
import { type ExportedFile, exportFormats } from "./index.ts";

interface Group {
  schema: JsonObject;
  tests: { description: string; data: unknown; valid: boolean; comment?: string }[];
}

const sources = protocolsNamed("all").map((protocol) => {
  return { protocol, set: loadVectors(protocol), folder: ownVectors };
});

function filesOf(name: string): ExportedFile[] {
  const format = exportFormats.find((exportFormat) => exportFormat.name === name);
  return sources.flatMap((source) => format?.files(source) ?? []);
}

/** A validator as a reader of these files would make it: independent of this project, with each schema compiled from scratch. */
function compileValidator(
  schema: JsonObject | string,
  references: readonly JsonObject[],
  path: string,
): (data: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false, validateFormats: path.includes("optional/format/"), ownProperties: true });
  if (path.includes("optional/format/")) addFormats.default(ajv);
  ajv.addSchema([...references]);
  return typeof schema === "string" ? (ajv.getSchema(schema) as (data: unknown) => boolean) : ajv.compile(schema);
}

/** A vector that Ajv and the validator beside it judge differently is disputed and has no verdict, so here they must always agree. */
const vectors = sources.flatMap(({ set }) => set.files).flatMap(({ tests }) => tests);

it("another validator agrees with the exported files of the JSON Schema Test Suite", () => {
  const files = filesOf("json-schema-test-suite");
  const disagreements: string[] = [];
  let count = 0;
  for (const { path, text, vectors: vectorCount } of files) {
    const groups = JSON.parse(text) as Group[];
    expect(groups.flatMap(({ tests }) => tests)).toHaveLength(vectorCount);
    for (const { schema, tests } of groups) {
      const accepts = compileValidator(schema, [], path);
      for (const { description, data, valid } of tests) if (accepts(data) !== valid) disagreements.push(description);
      count += tests.length;
    }
  }
  expect(disagreements).toEqual([]);
  const decidedVectors = vectors.filter(({ id, data, valid }) => {
    return /^[^/]+\/[^/]+\/[^/]+\/(valid|invalid)\//.test(id) && data !== undefined && valid !== undefined;
  });
  expect(count).toBe(decidedVectors.length);
  expect(files.some(({ path }) => path.startsWith("tests/draft2020-12/optional/format/"))).toBe(true);
  expect(files.some(({ path }) => path.startsWith("tests/draft2020-12/optional/bignum/"))).toBe(true);
});

it("vectors that a schema decides are in the folder of its dialect, and a pack may have several dialects", () => {
  const dialects: [string, string | undefined][] = [
    ["draft4", "http://json-schema.org/draft-04/schema#"],
    ["draft6", "http://json-schema.org/draft-06/schema#"],
    ["draft7", "http://json-schema.org/draft-07/schema#"],
    ["draft2019-09", "https://json-schema.org/draft/2019-09/schema"],
    ["draft2020-12", "https://json-schema.org/draft/2020-12/schema"],
    ["draft2020-12", undefined],
  ];
  const schemas = dialects.map(([, $schema], index): JsonObject => {
    // Every other schema needs a second one.
    const $ref = index % 2 === 0 ? { allOf: [{ $ref: `${index}/part` }] } : {};
    return { ...($schema === undefined ? {} : { $schema }), $id: `https://x.test/${index}`, ...$ref };
  });
  const referencedSchemas = schemas.map(({ $id, allOf: _, ...rest }): JsonObject => ({ ...rest, $id: `${$id}/part` }));
  const documents = schemas.map(({ $id }, index) => ({ name: `d${index}`, title: "", schema: $id }));
  const files = documents.map(({ name, schema }) => {
    return { document: name, schema, tests: [vector({ id: `p/1/${name}/valid/a`, data: 1 })] };
  });
  const protocol = {
    name: "p",
    version: "1",
    profile: { documents },
    schemas: [...schemas, ...referencedSchemas],
  } as unknown as Protocol;
  const source = { protocol, set: { files } as unknown as VectorSet, folder: "" };
  const paths = exportFormats
    .find(({ name }) => name === "json-schema-test-suite")
    ?.files(source)
    .map(({ path }) => path);
  expect(paths).toEqual(dialects.map(([folder], index) => `tests/${folder}/p/1/d${index}.json`));
});

it("files for `jsonschema test` name schemas beside them, and give the same verdicts", () => {
  const files = filesOf("jsonschema-test").filter(({ path }) => path.includes("/ahcp/"));
  const isSchema = ({ path }: ExportedFile): boolean => path.startsWith("schemas/");
  const schemas = files.filter(isSchema).map(({ text }) => JSON.parse(text) as JsonObject);
  const tests = files.filter((file) => !isSchema(file));
  expect(tests.length).toBeGreaterThan(5);
  for (const { path, text } of tests) {
    const { target, tests: exportedTests } = JSON.parse(text);
    expect(schemas.some(({ $id }) => $id === target)).toBe(true);
    const accepts = compileValidator(target, schemas, path);
    for (const { data, valid, description } of exportedTests) expect(accepts(data), description).toBe(valid);
  }
});

it("the files of the set are exported byte for byte, with a manifest for these files alone", () => {
  const [format] = exportFormats;
  const protocol = protocolNamed("snap");
  const source = { protocol, set: loadVectors(protocol), folder: ownVectors };
  const files = format?.files(source) ?? [];
  const [manifest, aliases] = format?.sharedFiles?.([source]) ?? [];
  const exportedManifest = JSON.parse(manifest?.text ?? "{}");
  expect(isObject(exportedManifest) && exportedManifest.count).toBe(
    files.reduce((total, { vectors }) => total + vectors, 0),
  );
  expect(exportedManifest.files.map(({ path }: { path: string }) => path)).toEqual(files.map(({ path }) => path));
  const formerEntries = Object.entries(JSON.parse(aliases?.text ?? "{}") as Record<string, string>);
  expect(formerEntries).toEqual(Object.entries(formerIds()).filter(([id]) => id.startsWith("snap/0.1/")));
  expect(formerEntries.length).toBeGreaterThan(0);
  const digest = digestOf(aliases?.text ?? "");
  expect(exportedManifest.aliases).toEqual({ path: "aliases.json", count: formerEntries.length, digest });
  const ids = new Set(source.set.files.flatMap(({ tests }) => tests.map(({ id }) => id)));
  expect(formerEntries.filter(([id, presentId]) => ids.has(id) || !ids.has(presentId))).toEqual([]);
});
