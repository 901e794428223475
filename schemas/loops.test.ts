import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderWith } from "./folder.fixture.ts";
import { loadSchemas } from "./load.ts";

const draft07 = "http://json-schema.org/draft-07/schema#";
const draft2019 = "https://json-schema.org/draft/2019-09/schema";

describe("references that never reach the instance", () => {
  it.each<[string, Record<string, unknown>, string]>([
    [
      "to itself",
      { "a.json": { $id: "urn:a", $ref: "#" } },
      "(#/$ref): the $ref leads back to itself and never into the instance: urn:a# → urn:a#\n",
    ],
    [
      "in a cycle of three",
      { "a.json": { $id: "urn:a", $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } } },
      "(#/$defs/a/$ref): the $ref leads back to itself and never into the instance: urn:a#/$defs/a → urn:a#/$defs/b → urn:a#/$defs/a\n",
    ],
    [
      "through branches",
      { "a.json": { $id: "urn:a", anyOf: [true, { if: { $ref: "#" } }] } },
      "(#/anyOf/1/if/$ref): the $ref leads back to itself and never into the instance: urn:a#/anyOf/1/if → urn:a# → urn:a#/anyOf/1 → urn:a#/anyOf/1/if\n",
    ],
    [
      "through files",
      {
        "a.json": { $id: "urn:a", allOf: [{ $ref: "urn:b" }] },
        "b.json": { $id: "urn:b", dependentSchemas: { x: { not: { $ref: "urn:a" } } } },
      },
      "never into the instance",
    ],
    ["in an unreferenced definition", { "a.json": { $defs: { a: { $ref: "#/$defs/a" } } } }, "(#/$defs/a/$ref)"],
    [
      "by a dynamic reference that is fixed",
      { "a.json": { $anchor: "a", $dynamicRef: "#a" } },
      "(#/$dynamicRef): the $dynamicRef leads back",
    ],
    [
      "by a dynamic reference with only one target",
      { "a.json": { $dynamicAnchor: "a", $dynamicRef: "#a" } },
      "(#/$dynamicRef): the $dynamicRef leads back",
    ],
    [
      "by a $recursiveRef with only one target",
      { "a.json": { $schema: draft2019, $recursiveAnchor: true, not: { $recursiveRef: "#" } } },
      "(#/not/$recursiveRef): the $recursiveRef leads back",
    ],
    [
      "by $recursiveRef without anchor",
      { "a.json": { $schema: draft2019, $recursiveRef: "#" } },
      "(#/$recursiveRef): the $recursiveRef leads back",
    ],
  ])("are refused %s", async (_, files, message) => {
    const folder = folderWith(files);
    const loading = loadSchemas({
      schema: join(folder, "a.json"),
      refs: Object.keys(files).map((name) => join(folder, name)),
    });
    await expect(loading).rejects.toThrow(message);
  });

  it.each<[string, unknown]>([
    ["go through properties", { properties: { a: { $ref: "#" } } }],
    [
      "go through items, names and additional members",
      { items: { $ref: "#" }, additionalProperties: { $ref: "#" }, propertyNames: { $ref: "#" } },
    ],
    [
      "are beside $ref in draft-07",
      {
        $schema: draft07,
        definitions: { a: { $ref: "#/definitions/b", allOf: [{ $ref: "#/definitions/a" }] }, b: {} },
      },
    ],
    [
      "may lead elsewhere",
      {
        $ref: "b",
        $defs: { b: { $id: "b", $dynamicAnchor: "a", $dynamicRef: "#a" }, c: { $id: "c", $dynamicAnchor: "a" } },
      },
    ],
    [
      "meet again without a cycle",
      { allOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/b" }], $defs: { a: { $ref: "#/$defs/b" }, b: {} } },
    ],
  ])("are accepted if they %s", async (_, schema) => {
    const folder = folderWith({ "a.json": schema });
    expect((await loadSchemas({ schema: join(folder, "a.json") })).schemas).toHaveLength(1);
  });

  it("are found without a stack overflow", async () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `d${index}`);
    const $defs = Object.fromEntries(
      names.map((name, index) => [name, { $ref: `#/$defs/${names[index + 1] ?? "d0"}` }]),
    );
    const folder = folderWith({ "a.json": { $defs } });
    await expect(loadSchemas({ schema: join(folder, "a.json") })).rejects.toThrow(
      "(#/$defs/d0/$ref): the $ref leads back to itself",
    );
  });
});

describe("a reference cycle, read leniently,", () => {
  const cyclicDefinitions = {
    x: { allOf: [{ $ref: "#/definitions/y" }] },
    y: { anyOf: [{ $ref: "#/definitions/x" }, {}] },
  };
  const loadLeniently = (schema: Record<string, unknown>) => {
    const folder = folderWith({ "a.json": { $schema: draft07, definitions: cyclicDefinitions, ...schema } });
    return loadSchemas({ schema: join(folder, "a.json"), lenient: true });
  };

  it("is left out and reported if it is in an unused definition", async () => {
    const { notes, schemas } = await loadLeniently({ properties: { a: { type: "integer" } } });
    // The published schemas can be read again, strictly.
    const republishedFolder = folderWith({ "b.json": schemas[0] as Record<string, unknown> });
    await expect(loadSchemas({ schema: join(republishedFolder, "b.json") })).resolves.toBeDefined();
    expect(notes).toEqual([expect.stringMatching(/leads back to itself .*; nothing uses it, and it is left aside$/)]);
  });

  it("is left out together with others that share a reference with it", async () => {
    const threeDefinitions = {
      ...cyclicDefinitions,
      z: { anyOf: [{ $ref: "#/definitions/x" }, { $ref: "#/definitions/z" }] },
    };
    const definitions = {
      ...threeDefinitions,
      y: { anyOf: [{ $ref: "#/definitions/x" }, { $ref: "#/definitions/z" }] },
    };
    const { schemas } = await loadLeniently({ definitions, type: "string" });
    expect(schemas).toHaveLength(1);
  });

  it("is refused if instances reach it", async () => {
    await expect(loadLeniently({ properties: { a: { $ref: "#/definitions/y" } } })).rejects.toThrow(
      /leads back to itself/,
    );
  });
});
