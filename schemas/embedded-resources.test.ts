import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderWith } from "./folder.fixture.ts";
import { loadSchemas } from "./load.ts";

const latest = "https://json-schema.org/draft/2020-12/schema";
const draft07 = "http://json-schema.org/draft-07/schema#";
const draft04 = "http://json-schema.org/draft-04/schema#";

async function load(schema: unknown, lenient = true) {
  const text = JSON.stringify(schema, null, 1);
  return loadSchemas({ schema: join(folderWith({ "a.json": text }), "a.json"), lenient, upgrade: lenient });
}

describe("a schema of a different dialect inside a document", () => {
  it.each([true, false])("becomes a separate document with references to it (lenient: %s)", async (lenient) => {
    const pair = { $schema: draft07, $id: "pair", items: [{ type: "integer" }], additionalItems: false };
    const schema = {
      $schema: latest,
      $id: "https://apart.test/x/whole",
      properties: { p: { $ref: "pair" } },
      $defs: { inner: { $id: "y/inner", $defs: { pair } } },
    };
    schema.properties.p.$ref = "y/pair";
    const { schemas, entry, source } = await load(schema, lenient);
    expect(entry).toBe("https://apart.test/x/whole");
    expect(schemas).toEqual([
      { ...schema, $defs: { inner: { $id: "y/inner", $defs: { pair: { $ref: "https://apart.test/x/y/pair" } } } } },
      { ...pair, $id: "https://apart.test/x/y/pair" },
    ]);
    expect(source("https://apart.test/x/y/pair#/items/0/type")?.line).toBe(18);
  });

  it("may be anywhere that a schema is allowed, in a document without an `$id`, and may contain another one", async () => {
    const inmost = { $schema: latest, $id: "inmost", prefixItems: [{ type: "null" }] };
    const old = { $schema: draft04, id: "old", minimum: 1, exclusiveMinimum: true, not: inmost };
    const { schemas } = await load({ $schema: latest, type: "array", items: old });
    expect(schemas.slice(0, 3).map(({ $id }) => $id)).toEqual(["schema:/a.json", "schema:/old", "schema:/inmost"]);
    expect(schemas[0]).toMatchObject({ items: { $ref: expect.stringMatching(/old$/) } });
    expect(schemas[1]).toMatchObject({ exclusiveMinimum: 1, not: { $ref: expect.stringMatching(/inmost$/) } });
  });

  it("is reported at its own place if it is invalid", async () => {
    const invalidSchema = { $schema: draft07, $id: "b", pattern: "(" };
    await expect(
      load({ $schema: latest, $id: "https://apart.test/", $defs: { b: invalidSchema } }, false),
    ).rejects.toThrow("a.json:8:15 (#/$defs/b/pattern)");
  });
});
