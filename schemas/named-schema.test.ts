import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderWith } from "./folder.fixture.ts";
import { loadSchemas, schemasMeant } from "./load.ts";

const draft07 = "http://json-schema.org/draft-07/schema#";
const definitions = { A: { type: "object", required: ["b"] }, "B<c>": { $ref: "#/definitions/A" }, Any: {} };

describe("schemasMeant", () => {
  it.each<[string, object, string, string[]]>([
    ["the whole schema, if it asserts something", { definitions, type: "object" }, "", [""]],
    [
      "each definition, if the root does not assert anything",
      { title: "P", definitions },
      "",
      ["#/definitions/A", "#/definitions/B%3Cc%3E"],
    ],
    [
      "each definition of a named list",
      { type: "object", definitions },
      "#/definitions",
      ["#/definitions/A", "#/definitions/B%3Cc%3E"],
    ],
    ["the named definition", { definitions }, "#/definitions/A", ["#/definitions/A"]],
  ])("finds %s", async (_, schema, end, expected) => {
    const file = join(folderWith({ "a.json": schema }), "a.json");
    expect(await schemasMeant(`${file}${end}`)).toEqual(expected.map((fragment) => `${file}${fragment}`));
  });

  it("refuses a schema that asserts nothing", async () => {
    for (const schema of [{}, { title: "nothing" }, { definitions: { a: {}, b: true } }]) {
      const file = join(folderWith({ "a.json": schema }), "a.json");
      await expect(schemasMeant(file)).rejects.toThrow("asserts nothing");
    }
  });
});

describe("a place within a file", () => {
  it("becomes a separate schema, with its parts at their original positions", async () => {
    const file = join(folderWith({ "a.json": { $schema: draft07, definitions } }), "a.json");
    const { entry, schemas, source } = await loadSchemas({ schema: `${file}#/definitions/B<c>`, lenient: true });
    expect(entry).toBe("schema:/a.json/definitions/B%3Cc%3E");
    expect(schemas.map(({ $id }) => $id)).toEqual([entry, "schema:/a.json"]);
    expect(schemas[0]).toMatchObject({ $schema: draft07, allOf: [{ $ref: "schema:/a.json#/definitions/B%3Cc%3E" }] });
    expect(source("schema:/a.json#/definitions/A/required")?.file).toBe(file);
  });

  it("is refused if it does not exist", async () => {
    const file = join(folderWith({ "a.json": { definitions } }), "a.json");
    await expect(loadSchemas({ schema: `${file}#/definitions/a` })).rejects.toThrow(
      'there is no schema at #/definitions/a\n  did you mean "/definitions/A"?',
    );
    await expect(schemasMeant(`${file}#A`)).rejects.toThrow("has no JSON Pointer after its #");
  });
});
