import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import {
  groundsOf,
  home,
  isObject,
  type JsonObject,
  ownVectors,
  protocolNamed,
  protocolsNamed,
  readPack,
} from "../../../schemas/index.ts";
import { partOf } from "../../../schemas/part.fixture.ts";
import { loadVectors, vectorsFolder } from "../../packs/corpus/index.ts";
import { checkSet } from "../check/index.ts";
import { accompanyingFiles } from "./accompanying-files.ts";
import { vectorFiles } from "./vector-files.ts";

const packs = [readPack(join(home, "suites/packs/pack/example"))];
const builtIns = protocolsNamed("all");
const { cases, said: sampleNote } = partOf([...builtIns, ...packs], ({ name }) => name, 3);

/** All files of an export, as text by path. */
function exportFiles(protocols: typeof builtIns): Map<string, string> {
  const sources = protocols.map((protocol) => {
    const folder = protocol.foreign === true ? vectorsFolder(protocol) : ownVectors;
    return { protocol, folder, set: loadVectors(protocol, folder) };
  });
  const files = [
    ...sources.flatMap((source) => vectorFiles.files(source)),
    ...(vectorFiles.sharedFiles?.(sources) ?? []),
    ...(vectorFiles.accompanyingFiles?.(sources) ?? []),
  ];
  return new Map(files.map(({ path, text }) => [path, text]));
}

describe.each(cases)(`an export of $name is self-contained (${sampleNote})`, (protocol) => {
  const exportedFiles = exportFiles([protocol]);
  const jsonFiles = [...exportedFiles]
    .filter(([path]) => path.endsWith(".json"))
    .map(([path, text]) => ({ path, value: JSON.parse(text) as JsonObject }));
  const schemas = jsonFiles.filter(({ path }) => path.endsWith(".schema.json"));
  const ajv = new Ajv2020({ strict: false, logger: false });
  addFormats.default(ajv);
  for (const { value } of schemas) ajv.addSchema(value);
  const otherFiles = jsonFiles.filter(
    ({ path, value }) => !path.endsWith(".schema.json") && isObject(value) && "$schema" in value,
  );

  it("each file names its schema, which is included under its `$id` or its path, and matches it", () => {
    expect(otherFiles.length).toBeGreaterThan(4);
    for (const { path, value } of otherFiles) {
      const $schema = String(value.$schema);
      const siblingSchema = schemas.find((schema) => schema.path === posix.join(posix.dirname(path), $schema));
      const validate = ajv.getSchema(siblingSchema === undefined ? $schema : String(siblingSchema.value.$id));
      expect(validate, `${path}: ${$schema}`).toBeDefined();
      // Large files have entries of one kind, and each line is checked elsewhere.
      const { tests } = value;
      const shortened = Array.isArray(tests) ? { ...value, tests: tests.slice(0, 20) } : value;
      expect(validate?.(shortened), `${path}: ${JSON.stringify(validate?.errors?.[0])}`).toBe(true);
    }
  });

  it("the schema of each vector file is included, with all that it refers to", () => {
    const schemaIds = otherFiles.flatMap(({ value }) => (typeof value.schema === "string" ? [value.schema] : []));
    expect(schemaIds.length).toBeGreaterThan(0);
    for (const id of new Set(schemaIds)) expect(ajv.getSchema(id), id).toBeDefined();
  });

  it("each link of a page leads to an included file", () => {
    const links = [...exportedFiles].flatMap(([path, text]) =>
      path.endsWith(".md")
        ? [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link = ""]) =>
            posix.join(posix.dirname(path), link),
          )
        : [],
    );
    expect(links).toContain("schemas/touchstone/vector-file.schema.json");
    expect(links).toContain("READERS.md");
    expect(links.filter((link) => !exportedFiles.has(link))).toEqual([]);
  });

  it("the notice lists only this protocol, and the licences that it names are included", () => {
    const rows = exportedFiles.get("NOTICE.md")?.match(/^\| `.*$/gm) ?? [];
    expect(rows).toHaveLength(1);
    expect(rows[0]).toContain(`| \`${protocol.name}@${protocol.version}\` |`);
    expect(exportedFiles.has("LICENSES/Apache-2.0.txt")).toBe(rows[0]?.includes("Apache") === true);
    expect(exportedFiles.get("LICENSE")).toContain("MIT License");
    if (protocol.foreign === true) expect(rows[0]).toContain("ask its owner");
  });
});

it("an export of a pack can be checked without the pack, which counts the vectors that cannot be judged", async () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
  try {
    for (const [path, text] of exportFiles(packs)) {
      mkdirSync(join(folder, posix.dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const tests = packs.flatMap((pack) => loadVectors(pack, vectorsFolder(pack)).files.flatMap((file) => file.tests));
    const brokenVectors = tests.filter(({ id, valid }) => id.includes("/semantic/") && valid === false);
    expect(brokenVectors.length).toBeGreaterThan(0);
    expect(await checkSet(folder, () => {})).toMatchObject({ complaints: [], unjudged: brokenVectors.length });
    const file = join(folder, "schemas/order/1/schemas/order.schema.json");
    writeFileSync(
      file,
      readFileSync(file, "utf8").replace(/"additionalProperties": false/g, '"additionalProperties": true'),
    );
    expect((await checkSet(folder, () => {})).complaints.length).toBeGreaterThan(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("a pack without rules, with definitions in a separate file, is exported as a pack", () => {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
  const write = (path: string, text: string): void => {
    mkdirSync(join(folder, posix.dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  try {
    write("pets/profile.json", '{ "documents": [{ "file": "schemas/pet.schema.json" }] }');
    write("pets/schemas/names.schema.json", '{ "$defs": { "name": { "type": "string" } } }');
    write("pets/schemas/pet.schema.json", '{ "properties": { "name": { "$ref": "names.schema.json#/$defs/name" } } }');
    const protocol = readPack(join(folder, "pets"));
    const source = { protocol, set: loadVectors(protocolNamed("snap")), folder };
    for (const { path, text } of accompanyingFiles([source])) write(`out/${path}`, text);
    const rereadPack = readPack(join(folder, "out/schemas/pets/1"));
    expect(rereadPack.schemas).toEqual(protocol.schemas);
    expect(rereadPack.profile.documents).toMatchObject([{ name: "pet", file: "schemas/pet.schema.json" }]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("the notice lists each built-in protocol with a source that its positions cite", () => {
  const files = accompanyingFiles(
    builtIns.map((protocol) => ({ protocol, set: loadVectors(protocolNamed("snap")), folder: "" })),
  );
  const rows = files.find(({ path }) => path === "NOTICE.md")?.text.match(/^\| `.*$/gm) ?? [];
  expect(rows.map((row) => /`([^`]+)`/.exec(row)?.[1])).toEqual(
    builtIns.map(({ name, version }) => `${name}@${version}`),
  );
  for (const [index, protocol] of builtIns.entries()) {
    const [, address = ""] = /\((https:[^)]+)\)/.exec(rows[index] ?? "") ?? [];
    expect(groundsOf(protocol)?.sources.map(({ url }) => url)).toContain(address);
  }
});
