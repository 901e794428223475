import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Json } from "./json.ts";
import { loadSchemas } from "./load.ts";
import { upgradeSchema } from "./upgrade.ts";

const draft04 = "http://json-schema.org/draft-04/schema#";

describe("upgrade", () => {
  it.each([
    [{ minimum: 1, exclusiveMinimum: true }, { exclusiveMinimum: 1 }],
    [{ maximum: 1, exclusiveMaximum: false }, { maximum: 1 }],
    [{ exclusiveMaximum: true }, {}],
    [{ id: "http://x.test/a" }, { $id: "http://x.test/a" }],
    [{ const: 3, type: "string", if: {}, then: {} }, { type: "string" }],
    [{ $schema: draft04 }, { $schema: "http://json-schema.org/draft-07/schema#" }],
  ])("%j becomes %j", (before, after) => {
    const schema = { ...before };
    upgradeSchema(schema);
    expect(schema).toEqual(after);
  });

  it("names the keywords that are omitted", () => {
    expect(upgradeSchema({ const: 3, minimum: 1, contains: {} })).toEqual(["const", "contains"]);
  });
});

describe("loadSchemas with upgrade", () => {
  it("omits an id that later drafts do not know, but keeps members with that name", async () => {
    const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
    writeFileSync(join(folder, "a.json"), JSON.stringify({ id: "a", properties: { id: {} }, const: { id: "a" } }));
    const { schemas, notes } = await loadSchemas({ schema: join(folder, "a.json"), upgrade: true });
    expect(schemas).toEqual([{ $id: "schema:/a.json", properties: { id: {} }, const: { id: "a" } }]);
    expect(notes).toEqual([expect.stringContaining("#: 2020-12 knows no id")]);
  });

  it("rewrites subschemas but not data, names the omitted keywords, and adds the referenced meta-schema", async () => {
    const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
    const schema = {
      $schema: draft04,
      enum: [{ id: "kept", exclusiveMinimum: true, minimum: 1 }],
      properties: {
        id: { minimum: 0, exclusiveMinimum: true },
        const: { const: 1 },
        title: { $ref: `${draft04}/properties/title` },
      },
    } satisfies Json;
    writeFileSync(join(folder, "a.json"), JSON.stringify(schema));
    const { schemas, notes } = await loadSchemas({ schema: join(folder, "a.json"), upgrade: true });
    expect(schemas[0]).toMatchObject({
      $schema: "http://json-schema.org/draft-07/schema#",
      enum: schema.enum,
      properties: { id: { exclusiveMinimum: 0 }, const: {} },
    });
    expect(schemas[0]?.properties).toMatchObject({ title: { $ref: `${String(schemas[1]?.$id)}#/properties/title` } });
    expect(notes).toEqual([
      expect.stringContaining("draft-07"),
      expect.stringContaining("#/properties/const: draft-04 knows no const"),
    ]);
  });
});
