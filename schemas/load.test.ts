import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Ajv as Ajv07 } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { protocolNamed } from "./catalogue.ts";
import { folderWith } from "./folder.fixture.ts";
import type { Json, JsonObject } from "./json.ts";
import { loadSchemas, loadSeveral } from "./load.ts";
import type { LoadedSchemas } from "./loaded-schemas.ts";
import { builtInPacks } from "./packs.ts";
import { partOf } from "./part.fixture.ts";

const draft07 = "http://json-schema.org/draft-07/schema#";
const draft2019 = "https://json-schema.org/draft/2019-09/schema";

/** The verdicts of a validator that finds schemas only by `$id`. */
function verdicts({ entry, schemas }: LoadedSchemas, instances: Json[], Ajv: typeof Ajv2020 = Ajv2020): boolean[] {
  const ajv = new Ajv({ strict: false });
  for (const schema of schemas) ajv.addSchema(schema);
  return instances.map((instance) => ajv.validate(entry, instance) as boolean);
}

function ids({ schemas }: LoadedSchemas): unknown[] {
  return schemas.map((schema) => schema.$id);
}

describe("loadSchemas", () => {
  it.each(builtInPacks)("loads $name from its folder", async ({ name }) => {
    const protocol = protocolNamed(name);
    // An inherited schema has no file in the folder.
    const fileOf = ({ $id }: JsonObject): string =>
      join(protocol.folder, protocol.profile.documents.find(({ schema }) => schema === $id)?.file ?? "none");
    const schemasInFolder = protocol.schemas.filter((schema) => existsSync(fileOf(schema)));
    const { cases } = partOf(schemasInFolder, (schema) => `${name} ${schema.$id}`, 8);
    for (const schema of cases) {
      const loaded = await loadSchemas({ schema: fileOf(schema), refs: [protocol.folder] });
      expect(loaded.entry).toBe(schema.$id);
      expect(loaded.schemas[0]).toEqual(schema);
      expect(ids(loaded)).toEqual(expect.arrayContaining(schemasInFolder.map((schema) => schema.$id)));
    }
  });

  it.each(builtInPacks)("loads $name in the same order each time", async ({ name }) => {
    const { folder, profile } = protocolNamed(name);
    const load = async () =>
      ids(await loadSchemas({ schema: join(folder, profile.documents[0]?.file as string), refs: [folder] }));
    expect(await load()).toEqual(await load());
  });

  it("names a schema without $id by its path, in a copy", async () => {
    const folder = folderWith({ "a.json": { type: "string" } });
    const { entry, schemas } = await loadSchemas({ schema: join(folder, "a.json") });
    expect(entry).toBe("schema:/a.json");
    expect(schemas).toEqual([{ $id: entry, type: "string" }]);
  });

  it("makes an $id absolute, and removes an empty fragment from it", async () => {
    const folder = folderWith({
      "a.json": { $id: "sub/b.json" },
      "c.json": { $schema: draft07, $id: "http://x.test/c#" },
    });
    const { entry } = await loadSchemas({ schema: join(folder, "a.json") });
    expect(entry).toBe("schema:/sub/b.json");
    const loadedFromC = await loadSchemas({ schema: join(folder, "c.json") });
    expect([loadedFromC.entry, ...ids(loadedFromC)]).toEqual(["http://x.test/c", "http://x.test/c"]);
  });

  it("accepts booleans as schemas", async () => {
    const folder = folderWith({
      "a.json": { properties: { no: { $ref: "no.json" } } },
      "no.json": false,
      "yes.yaml": "true",
    });
    const loaded = await loadSchemas({ schema: join(folder, "a.json"), refs: [join(folder, "yes.yaml")] });
    expect(loaded.schemas).toHaveLength(3);
    expect(verdicts(loaded, [{}, { no: 1 }])).toEqual([true, false]);
  });

  it("follows relative references from file to file, JSON and YAML, if no file has an $id", async () => {
    const folder = folderWith({
      "order.json": { properties: { lines: { items: { $ref: "parts/line.yaml#/$defs/line" } } } },
      "parts/line.yaml":
        "$defs:\n  line:\n    properties:\n      price: { $ref: ../price.json }\n    required: [price]\n",
      "price.json": { minimum: 0 },
      "unused.json": { type: "strin" },
    });
    const loaded = await loadSchemas({ schema: join(folder, "order.json") });
    expect(loaded.schemas).toHaveLength(3);
    expect(verdicts(loaded, [{ lines: [{ price: 1 }] }, { lines: [{ price: -1 }] }, { lines: [{}] }])).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("finds neighbouring files relative to an $id, whether they have an $id or not", async () => {
    const folder = folderWith({
      "v1/order.json": {
        $id: "https://x.test/v1/order",
        properties: { a: { $ref: "a.json" }, b: { $ref: "https://x.test/v1/parts/b.json#/$defs/b" } },
      },
      "v1/a.json": { $ref: "parts/c.json#c" },
      "v1/parts/b.json": { $id: "https://x.test/v1/parts/b.json", $defs: { b: { type: "boolean" } } },
      "v1/parts/c.json": { $defs: { c: { $anchor: "c", type: "number" } } },
    });
    const loaded = await loadSchemas({ schema: join(folder, "v1/order.json") });
    expect(ids(loaded)).toEqual([
      "https://x.test/v1/order",
      "schema:/a.json",
      "https://x.test/v1/parts/b.json",
      "schema:/parts/c.json",
    ]);
    expect(verdicts(loaded, [{ a: 1, b: true }, { a: "1" }, { b: 1 }])).toEqual([true, false, false]);
  });

  it("finds a file by its path even if it has a different $id", async () => {
    const folder = folderWith({
      "a.json": { properties: { b: { $ref: "b.json#/$defs/b" }, c: { $ref: "b.json" } } },
      "b.json": { $id: "https://x.test/b", $defs: { b: { const: 1 } }, type: "string" },
    });
    const loaded = await loadSchemas({ schema: join(folder, "a.json") });
    expect((loaded.schemas[0] as JsonObject).properties).toEqual({
      b: { $ref: "https://x.test/b#/$defs/b" },
      c: { $ref: "https://x.test/b" },
    });
    expect(verdicts(loaded, [{ b: 1, c: "" }, { b: 2 }, { c: 1 }])).toEqual([true, false, false]);
  });

  it("finds embedded schemas, even in later files", async () => {
    const folder = folderWith({
      "a.json": { $id: "https://x.test/a", properties: { b: { $ref: "inner/b#/properties/x" }, c: { $ref: "urn:c" } } },
      "refs/b.json": {
        $id: "https://x.test/outer",
        $defs: {
          b: { $id: "inner/b", properties: { x: { $ref: "b#two" } }, $defs: { two: { $anchor: "two", const: 2 } } },
        },
      },
      "refs/c.yaml": "$defs:\n  c:\n    $id: urn:c\n    const: 3\n",
    });
    const loaded = await loadSchemas({ schema: join(folder, "a.json"), refs: [join(folder, "refs")] });
    expect(verdicts(loaded, [{ b: 2, c: 3 }, { b: 3 }, { c: 2 }])).toEqual([true, false, false]);
  });

  it("follows $dynamicRef across files", async () => {
    const folder = folderWith({
      "strict.json": {
        $id: "https://x.test/strict",
        $dynamicAnchor: "node",
        $ref: "tree",
        unevaluatedProperties: false,
      },
      "tree.json": {
        $id: "https://x.test/tree",
        $dynamicAnchor: "node",
        properties: { children: { items: { $dynamicRef: "#node" } } },
      },
    });
    const loaded = await loadSchemas({ schema: join(folder, "strict.json"), refs: [join(folder, "tree.json")] });
    expect(verdicts(loaded, [{ children: [{}] }, { children: [{ more: 1 }] }])).toEqual([true, false]);
  });

  it("follows $recursiveRef of 2019-09", async () => {
    const folder = folderWith({
      "strict.json": {
        $schema: draft2019,
        $id: "https://x.test/strict",
        $recursiveAnchor: true,
        $ref: "tree",
        unevaluatedProperties: false,
      },
      "tree.json": {
        $schema: draft2019,
        $id: "https://x.test/tree",
        $recursiveAnchor: true,
        properties: { children: { items: { $recursiveRef: "#" } } },
      },
    });
    const loaded = await loadSchemas({ schema: join(folder, "strict.json"), refs: [folder] });
    expect(verdicts(loaded, [{ children: [{}] }, { children: [{ more: 1 }] }], Ajv2019 as never)).toEqual([
      true,
      false,
    ]);
  });

  it("reads draft-07 by its own rules: it knows ids as anchors, and ignores siblings of $ref", async () => {
    const folder = folderWith({
      "a.json": {
        $schema: draft07,
        $id: "http://x.test/a.json#",
        $ref: "#/definitions/root",
        definitions: {
          root: {
            properties: {
              b: { $ref: "#b" },
              c: { $ref: "c.json" },
              d: { $ref: "#/definitions/d" },
            },
            dependencies: { b: ["c"] },
          },
          b: { $id: "#b", items: [{ $ref: "#/definitions/d" }, true] },
          c: { $id: "http://x.test/c.json", type: "string" },
          d: { const: 4 },
        },
      },
    });
    const loaded = await loadSchemas({ schema: join(folder, "a.json") });
    expect(
      verdicts(loaded, [{ b: [4], c: "", d: 4 }, { b: [4] }, { b: [3], c: "" }, { c: 1 }, { d: 3 }], Ajv07 as never),
    ).toEqual([true, false, false, false, false]);
  });

  it("omits siblings of $ref before 2019-09", async () => {
    const schema = {
      $schema: draft07,
      $ref: "#/definitions/a",
      type: "null",
      title: "A",
      definitions: {
        a: { items: { $ref: "#/definitions/c", $id: "http://x.test/b/", minimum: 5 } },
        c: { type: "number" },
      },
    };
    const loaded = await loadSchemas({ schema: join(folderWith({ "a.json": schema }), "a.json") });
    expect(loaded.schemas).toEqual([
      {
        $id: "schema:/a.json",
        $schema: draft07,
        title: "A",
        definitions: { a: { items: { $ref: "#/definitions/c" } }, c: { type: "number" } },
        allOf: [{ $ref: "#/definitions/a" }],
      },
    ]);
    expect(loaded.source("http://x.test/b/")).toBeUndefined();
    expect(verdicts(loaded, [[1], ["a"]], Ajv07 as never)).toEqual([true, false]);
  });

  it("names schemas with relative ids by their path, the same on every machine", async () => {
    const folder = folderWith({
      "in/a.json": { $id: "/schemas/a", properties: { b: { $ref: "b" }, c: { $ref: "../in/c.json#/properties/d" } } },
      "in/c.json": {
        $defs: { e: { $id: "../e", const: 1 } },
        properties: { d: { $ref: "../e" }, o: { $ref: "../out/my o.json" } },
      },
      "out/b.json": { $id: "/schemas/b", const: 1 },
      "out/my o.json": { properties: { p: { $ref: "p.json" } } },
      "out/p.json": { const: 2 },
    });
    const loaded = await loadSchemas({
      schema: join(folder, "in/a.json"),
      refs: [
        join(folder, "out/b.json"),
        join(folder, "in/c.json"),
        join(folder, "out/my o.json"),
        join(folder, "out/p.json"),
      ],
    });
    expect(ids(loaded)).toEqual([
      "schema:/schemas/a",
      "schema:/schemas/b",
      "schema:/c.json",
      "schema:/~/out/my%20o.json",
      "schema:/~/out/p.json",
    ]);
    expect(JSON.stringify(loaded.schemas)).not.toContain(folder);
    expect(
      verdicts({ ...loaded, entry: "schema:/c.json" }, [{ d: 1, o: { p: 2 } }, { d: 2 }, { o: { p: 1 } }]),
    ).toEqual([true, false, false]);
  });

  it("reads draft-04 and draft-06", async () => {
    const folder = folderWith({
      "four.json": {
        $schema: "http://json-schema.org/draft-04/schema#",
        id: "http://x.test/four#",
        definitions: { a: { id: "#a", minimum: 1, exclusiveMinimum: true } },
        items: { $ref: "#a" },
      },
      "six.json": {
        $schema: "http://json-schema.org/draft-06/schema#",
        contains: { $ref: "#/definitions/a" },
        definitions: { a: { exclusiveMinimum: 1 } },
      },
    });
    expect((await loadSchemas({ schema: join(folder, "four.json") })).schemas[0]?.id).toBe("http://x.test/four");
    expect((await loadSchemas({ schema: join(folder, "six.json") })).schemas).toHaveLength(1);
  });

  it("refers to meta-schemas without loading them", async () => {
    const folder = folderWith({
      "a.json": {
        properties: {
          schema: { $ref: "https://json-schema.org/draft/2020-12/schema" },
          core: { $ref: "https://json-schema.org/draft/2020-12/meta/core#/$defs/anchorString" },
        },
      },
    });
    const loaded = await loadSchemas({ schema: join(folder, "a.json") });
    expect(verdicts(loaded, [{ schema: {}, core: "a" }, { schema: 1 }, { core: "" }])).toEqual([true, false, false]);
  });

  it("renames a schema that has the id of a validator's meta-schema", async () => {
    const metaSchemaIds = { $schema: "http://json-schema.org/draft-07/schema#", $id: "http://json-schema.org/schema#" };
    const folder = folderWith({
      "a.json": { ...metaSchemaIds, items: { $ref: "#/definitions/b" }, definitions: { b: { const: 1 } } },
    });
    const loaded = await loadSchemas({ schema: join(folder, "a.json") });
    expect(ids(loaded)).toEqual(["schema:/json-schema.org/schema"]);
    expect(verdicts(loaded, [[1], [2]], Ajv07 as never)).toEqual([true, false]);
  });

  it("follows references to places outside every keyword, including escaped names", async () => {
    const folder = folderWith({
      "a.json": { $ref: "#/components/a%20~1b/0", components: { "a /b": [{ properties: { c: { $ref: "b.json" } } }] } },
      "b.json": { const: 1 },
    });
    const loaded = await loadSchemas({ schema: join(folder, "a.json") });
    expect(verdicts(loaded, [{ c: 1 }, { c: 2 }])).toEqual([true, false]);
  });

  it("does not read data as schemas", async () => {
    const data = { $ref: "#/nowhere", $id: "https://x.test/a", $anchor: "a", pattern: "(" };
    const folder = folderWith({
      "a.json": {
        $id: "https://x.test/a",
        const: data,
        enum: [data],
        default: data,
        examples: [data],
        "x-own": data,
        properties: { $ref: { const: 1 }, pattern: true },
      },
    });
    expect((await loadSchemas({ schema: join(folder, "a.json") })).schemas).toHaveLength(1);
  });

  it("treats __proto__ as an ordinary name", async () => {
    const folder = folderWith({
      "a.json": '{"properties":{"__proto__":{"$ref":"#/$defs/__proto__"}},"$defs":{"__proto__":{"$ref":"b.yaml"}}}',
      "b.yaml": "__proto__: {}\nconst: 1\n",
    });
    const { schemas } = await loadSchemas({ schema: join(folder, "a.json") });
    expect(Object.keys(schemas[0]?.properties as JsonObject)).toEqual(["__proto__"]);
    expect(Object.keys(schemas[0]?.$defs as JsonObject)).toEqual(["__proto__"]);
    expect(Object.keys(schemas[1] as JsonObject)).toEqual(["$id", "__proto__", "const"]);
  });

  it("reads the schemas of a folder in order, and skips other files", async () => {
    const meta = "https://json-schema.org/draft/2020-12/schema";
    const folder = folderWith({
      "a.json": { $ref: "urn:z" },
      "refs/z.json": { $id: "urn:z" },
      "refs/b/defs.yml": "$defs: {}",
      "refs/a.schema.json": {},
      "refs/schema.json": { $id: meta, $schema: meta },
      "refs/tsconfig.json": "{ // comments\n}",
      "refs/other.json": { $schema: "https://json.schemastore.org/package", $id: "urn:other" },
      "refs/type.json": { type: "module" },
      "refs/list.json": [],
      "refs/note.txt": '{"$id":"urn:note"}',
      "refs/node_modules/m.schema.json": "{",
      "refs/.hidden/h.schema.json": "{",
      "outside/o.schema.json": "{",
    });
    symlinkSync(join(folder, "outside"), join(folder, "refs/link"));
    symlinkSync(join(folder, "outside/o.schema.json"), join(folder, "refs/o.schema.json"));
    const { schemas } = await loadSchemas({
      schema: join(folder, "a.json"),
      refs: [join(folder, "refs"), join(folder, "refs/z.json")],
    });
    expect(schemas.map(({ $id }) => $id)).toEqual([
      "schema:/a.json",
      "schema:/refs/a.schema.json",
      "schema:/refs/b/defs.yml",
      "urn:z",
    ]);
  });

  it("detects the format by content if the extension is unknown", async () => {
    const folder = folderWith({ "a.schema": ' {"$id":"urn:a"}', b: "$id: urn:b\n" });
    expect(ids(await loadSchemas({ schema: join(folder, "a.schema"), refs: [join(folder, "b")] }))).toEqual([
      "urn:a",
      "urn:b",
    ]);
  });

  it("returns the position of an id and of a location", async () => {
    const folder = folderWith({
      "a.json": '{\n  "$id": "https://x.test/a",\n  "properties": {\n    "b": { "$id": "b",\n      "minimum": 1 } }\n}',
      "c.yaml": "$id: urn:c\n$defs:\n  c: { $anchor: c }\n",
    });
    const { source } = await loadSchemas({ schema: join(folder, "a.json"), refs: [join(folder, "c.yaml")] });
    const a = join(folder, "a.json");
    const c = join(folder, "c.yaml");
    expect(source("https://x.test/a")).toEqual({ file: a, line: 1, column: 1 });
    expect(source("https://x.test/a#/properties/b/minimum")).toEqual({ file: a, line: 5, column: 18 });
    expect(source("https://x.test/b")).toEqual({ file: a, line: 4, column: 10 });
    expect(source("https://x.test/b#/minimum")).toEqual({ file: a, line: 5, column: 18 });
    expect(source("urn:c#/$defs/c")).toEqual({ file: c, line: 3, column: 6 });
    expect(source("urn:c#c")).toEqual({ file: c, line: 3, column: 6 });
    expect(source(pathToFileURL(c).href)).toEqual({ file: c, line: 1, column: 1 });
    expect(source("urn:d")).toBeUndefined();
    expect(source("no")).toBeUndefined();
  });
});

describe("loadSchemas refuses", () => {
  it.each<[string, Record<string, unknown>, string]>([
    ["bad JSON", { "a.json": '{\n  "a": }' }, 'DIR/a.json:2:8: found "}", expected a value'],
    ["bad YAML", { "a.json": { $ref: "b.yaml" }, "b.yaml": "a: 1\na: 2" }, 'DIR/b.yaml:2:1: repeats the name "a"'],
    [
      "a list",
      { "a.json": "\n []" },
      "DIR/a.json:2:2: expected a schema (an object or a boolean), got a value of type array",
    ],
    ["deep nesting", { "a.json": `${'{"not":'.repeat(501)}{}${"}".repeat(501)}` }, "nested more than 500 levels deep"],
    [
      "an unknown dialect",
      { "a.json": '{ "$schema": "http://json-schema.org/draft-7/schema#" }' },
      'DIR/a.json:1:14 (#/$schema): the dialect "http://json-schema.org/draft-7/schema#" is not known\n  did you mean "http://json-schema.org/draft-07/schema"? known dialects: http://json-schema.org/draft-04/schema, ',
    ],
    [
      "an $id with a fragment",
      { "a.json": { $schema: draft07, $id: "http://x.test/#a" } },
      '(#/$id): the $id "http://x.test/#a" has a fragment',
    ],
    ["an $id that is not a URI", { "a.json": { $id: "http://[" } }, '(#/$id): the $id "http://[" is not a URI'],
    [
      "a dangling reference",
      { "a.json": '{\n "properties": { "n": { "$ref": "#/$defs/Nmae" } },\n "$defs": { "Name": {}, "Age": {} } }' },
      'DIR/a.json:2:33 (#/properties/n/$ref): the $ref "#/$defs/Nmae" leads nowhere: #/$defs has no "Nmae"\n  did you mean "#/$defs/Name"? there are: Name, Age',
    ],
    [
      "a reference past the end",
      { "a.json": { $ref: "#/allOf/1", allOf: [true] } },
      '(#/$ref): the $ref "#/allOf/1" leads nowhere: #/allOf has no "1"',
    ],
    [
      "a reference to a value that is not a schema",
      { "a.json": { $ref: "#/title", title: "a" } },
      'the $ref "#/title" leads to a value of type string, not to a schema',
    ],
    [
      "a missing anchor",
      { "a.json": { $ref: "b.json#nmae" }, "b.json": { $id: "urn:b", $defs: { a: { $anchor: "name" } } } },
      '(#/$ref): the $ref "b.json#nmae" leads nowhere: urn:b has no anchor "nmae"\n  did you mean "name"? its anchors: name',
    ],
    [
      "a missing dynamic anchor",
      { "a.json": { $dynamicRef: "#node" } },
      '(#/$dynamicRef): the $dynamicRef "#node" leads nowhere',
    ],
    [
      "a $recursiveRef elsewhere",
      { "a.json": { $schema: draft2019, $recursiveRef: "#/$defs/a", $defs: { a: {} } } },
      '(#/$recursiveRef): the $recursiveRef "#/$defs/a" is never anything but #',
    ],
    [
      "a reference to the network",
      {
        "a.json": {
          allOf: [{ $ref: "https://x.test/addres.json" }],
          $defs: { a: { $id: "https://x.test/address.json" } },
        },
      },
      '(#/allOf/0/$ref): the $ref "https://x.test/addres.json" leads to https://x.test/addres.json, which is not among the loaded schemas\n  did you mean "https://x.test/address.json"? nothing is read from the network: pass the file that holds it with --ref',
    ],
    [
      "a reference to the network, and suggests a file with a name nearer than any loaded $id",
      {
        "a.json": {
          $id: "https://x.test/a.json",
          $ref: "content.json",
          $defs: { a: { $id: "https://x.test/common.json" } },
        },
        "contents.json": {},
      },
      'leads to https://x.test/content.json, which is not among the loaded schemas\n  did you mean "https://x.test/contents.json"?',
    ],
    [
      "a relative reference with a URN as its base",
      { "a.json": { $id: "urn:a", $ref: "b.json" } },
      'the $ref "b.json" makes no URI with urn:a',
    ],
    [
      "a missing file",
      { "a.json": { $ref: "addres.json" }, "address.json": {} },
      'the $ref "addres.json" leads to DIR/addres.json, and there is no such file\n  did you mean "address.json"?',
    ],
    [
      "a file with another $id",
      { "a.json": { $id: "https://x.test/a.json", $ref: "b.json" }, "b.json": { $id: "https://x.test/b/1" } },
      'the $ref "b.json" leads nowhere: DIR/b.json calls itself https://x.test/b/1\n  refer to it as "https://x.test/b/1"',
    ],
    [
      "a repeated $id",
      { "a.json": { $id: "urn:a", $ref: "b.json" }, "b.json": {}, "refs/c.json": '{\n"$id": "urn:a" }' },
      'DIR/refs/c.json:2:8 (#/$id): the $id "urn:a" is also that of DIR/a.json:1',
    ],
    [
      "a repeated embedded $id",
      { "a.json": { $defs: { a: { $id: "urn:a" }, b: { $id: "urn:a" } } } },
      '(#/$defs/b/$id): the $id "urn:a" is also that of DIR/a.json:1',
    ],
    [
      "a repeated anchor",
      { "a.json": { $defs: { a: { $anchor: "a" }, b: { $anchor: "a" } } } },
      '(#/$defs/b/$anchor): the anchor "a" is already on line 1',
    ],
    [
      "a bad pattern",
      { "a.json": '{"properties":\n{"a":{"pattern":"^a\\\\-b$"}}}' },
      "DIR/a.json:2:17 (#/properties/a/pattern): the pattern ^a\\-b$ is not a regular expression: invalid escape \\-\n  write - without the backslash",
    ],
    [
      "a $schema that cannot be converted to a string",
      { "a.json": { $schema: { toString: 0 } } },
      '(#/$schema): the dialect {"toString":0} is not known\n  known dialects: ',
    ],
    [
      "a pattern that is nested too deeply for validators",
      { "a.json": { properties: { a: { pattern: `${"(".repeat(5000)}a${")".repeat(5000)}` } } } },
      "(#/properties/a/pattern): the pattern nests 5000 groups in each other",
    ],
    [
      "a bad name in patternProperties",
      { "a.json": { patternProperties: { "(?i)x": true } } },
      "DIR/a.json:1:31 (#/patternProperties/(?i)x): the name in patternProperties (?i)x is not a regular expression: invalid group",
    ],
    [
      "an invalid type",
      { "a.json": '{"items":\n {"type": ["string", "strin"]}}' },
      'DIR/a.json:2:22 (#/items/type/1): "strin" must be equal to one of the allowed values: array, boolean, integer, null, number, object, string\n  did you mean "string"? see https://json-schema.org/draft/2020-12/schema, the dialect of a schema without $schema',
    ],
    [
      "required as in draft-03",
      { "a.json": { properties: { a: { required: true } } } },
      "(#/properties/a/required): true must be array",
    ],
    ["a list of items in 2020-12", { "a.json": { items: [{}] } }, "(#/items): [{}] must be object,boolean"],
    ["a $ref that is not a string", { "a.json": { $ref: 1 } }, "(#/$ref): 1 must be string"],
    [
      "a misshapen schema of draft-07",
      { "a.json": { $schema: draft07, definitions: { a: { items: [{ minLength: -1 }] } } } },
      "(#/definitions/a/items/0/minLength): -1 must be >= 0\n  see http://json-schema.org/draft-07/schema",
    ],
    [
      "a misshapen schema of 2019-09",
      { "a.json": { $schema: draft2019, dependentRequired: { a: "b" } } },
      '(#/dependentRequired/a): "b" must be array',
    ],
    [
      "a misshapen schema of draft-06",
      { "a.json": { $schema: "http://json-schema.org/draft-06/schema#", contains: [] } },
      "(#/contains): [] must be object,boolean",
    ],
    [
      "a misshapen schema of draft-04",
      { "a.json": { $schema: "http://json-schema.org/draft-04/schema#", not: { required: [] } } },
      "(#/not/required): [] must NOT have fewer than 1 items",
    ],
    [
      "a misshapen schema outside of every keyword",
      { "a.json": { $ref: "#/parts/a", parts: { a: { minLength: "1" } } } },
      '(#/parts/a/minLength): "1" must be integer',
    ],
    [
      "a misshapen schema that is referred to",
      { "a.json": { $ref: "b.json" }, "b.json": { enum: 1 } },
      "DIR/b.json:1:9 (#/enum): 1 must be array",
    ],
    [
      "an invalid unreferenced schema in a given folder",
      { "a.json": {}, "refs/b.schema.json": "{" },
      "DIR/refs/b.schema.json:1:2: found the end",
    ],
    [
      "a broken file in a given folder that begins like a schema",
      { "a.json": {}, "refs/b.json": `{"$schema":"${draft07}",}` },
      "DIR/refs/b.json:1:54: found",
    ],
    [
      "a folder without schemas",
      { "a.json": {}, "refs/b.json": {}, "refs/c.txt": "" },
      'there is no schema in the folder "DIR/refs"\n  a schema names its $schema or $id',
    ],
  ])("%s", async (_, files, message) => {
    const folder = folderWith(files);
    const refs = Object.keys(files).some((name) => name.startsWith("refs/")) ? [join(folder, "refs")] : [];
    const loading = loadSchemas({ schema: join(folder, "a.json"), refs });
    await expect(loading).rejects.toThrow(expect.objectContaining({ kind: "usage" }));
    await expect(loading).rejects.toThrow(message.replaceAll("DIR", folder));
  });

  it("files outside the given folders, including symbolic links to them", async () => {
    const folder = folderWith({
      "in/a.json": { $ref: "../out/b.json" },
      "in/c.json": { $ref: "link.json" },
      "out/b.json": {},
    });
    symlinkSync(join(folder, "out/b.json"), join(folder, "in/link.json"));
    const outside = `leads to ${folder}/out/b.json, outside of the folders that were given\n  pass it with --ref ${folder}/out/b.json`;
    await expect(loadSchemas({ schema: join(folder, "in/a.json") })).rejects.toThrow(outside);
    await expect(loadSchemas({ schema: join(folder, "in/c.json") })).rejects.toThrow(outside);
    expect(
      ids(await loadSchemas({ schema: join(folder, "in/a.json"), refs: [join(folder, "out/b.json")] })),
    ).toHaveLength(2);
  });

  it("paths that do not lead to a file", async () => {
    const folder = folderWith({ "order.json": {}, "sub/a.json": {} });
    const missing = `the file "${folder}/ordre.json" does not exist\n  did you mean "${folder}/order.json"?`;
    await expect(loadSchemas({ schema: join(folder, "ordre.json") })).rejects.toThrow(missing);
    await expect(
      loadSchemas({ schema: join(folder, "order.json"), refs: [join(folder, "ordre.json")] }),
    ).rejects.toThrow(missing);
    await expect(loadSchemas({ schema: join(folder, "order.json/a") })).rejects.toThrow("does not exist");
    await expect(loadSchemas({ schema: join(folder, "sub") })).rejects.toThrow(`"${folder}/sub" is a folder`);
    await expect(loadSchemas({ schema: "/dev/null" })).rejects.toThrow('"/dev/null" is neither a file nor a folder');
  });

  it("more or larger files than its limits allow", async () => {
    const folder = folderWith({
      "a.json": { $ref: "b.json" },
      "b.json": { title: "b".repeat(200) },
      "refs/1.schema.json": {},
      "refs/2.json": {},
    });
    const schema = join(folder, "a.json");
    const refs = [join(folder, "refs")];
    await expect(loadSchemas({ schema, limits: { bytes: 100 } })).rejects.toThrow(
      `${folder}/b.json: larger than 100 bytes`,
    );
    await expect(loadSchemas({ schema, limits: { files: 1 } })).rejects.toThrow("more than 1 schemas");
    await expect(loadSchemas({ schema, refs, limits: { files: 1 } })).rejects.toThrow(
      `${folder}/refs: more than 1 JSON and YAML files`,
    );
    expect(ids(await loadSchemas({ schema, refs, limits: { files: 3, bytes: 300 } }))).toHaveLength(3);
  });
});

it("reads a file once if several of its parts are named, and returns the same for each part as on its own", async () => {
  const definitions = { a: { type: "string" }, b: { properties: { a: { $ref: "#/definitions/a" } } } };
  const file = join(folderWith({ "parts.json": JSON.stringify({ definitions }) }), "parts.json");
  const parts = [`${file}#/definitions/b`, file, `${file}#/definitions/a`];
  const together = await loadSeveral(parts, { lenient: true });
  const [first, , last] = together.map(({ schemas }) => schemas.find(({ definitions }) => definitions !== undefined));
  expect(first).toBe(last);
  for (const [index, schema] of parts.entries()) {
    const alone = await loadSchemas({ schema, lenient: true });
    expect(together[index]).toMatchObject({ entry: alone.entry, schemas: alone.schemas, notes: alone.notes });
  }
});
