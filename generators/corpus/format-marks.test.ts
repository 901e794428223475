import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject, Profile, RuledProtocol, Vector } from "../../schemas/index.ts";
import { formatHolds } from "../formats/check.ts";
import { contentOf } from "../rules/content.ts";
import { assemble } from "./assemble.ts";

const $id = "https://formats.test/a";
const document = { name: "a", title: "a", schema: $id, file: "a.json", standalone: true, role: "entry" as const };

async function vectorsOf(schema: JsonObject, formats: Profile["formats"]): Promise<Vector[]> {
  const http = { accepted: [{ status: [200] }], rejected: [{ status: [400, 422] }] };
  const baseProfile = { $schema: "", protocol: "a", version: "1", title: "a", summary: "", formats, http };
  const protocol: RuledProtocol = {
    name: "a",
    version: "1",
    folder: "",
    foreign: true,
    rules: [],
    families: [],
    schemas: [{ $id, ...schema }],
    profile: { ...baseProfile, documents: [document] },
  };
  const { files } = await assemble(protocol, document, { foreign: true });
  return files.flatMap(({ file }) => file.tests);
}

/** Compiles Ajv to assert these formats, and to treat the others as annotations. */
function ajvAsserting(schema: JsonObject, names: readonly string[]): (instance: Json) => boolean {
  const check = (name: string) => (text: string) => !names.includes(name) || formatHolds(name, text) === true;
  const formats = Object.fromEntries(["date", "date-time", "ipv4", "ipv6"].map((name) => [name, check(name)]));
  return new Ajv2020({ strict: false, formats }).compile(schema);
}

/** Lists ids of the vectors that an implementation misjudges. */
function misjudgedIds(vectors: readonly Vector[], accepts: (instance: Json) => boolean): string[] {
  return vectors.flatMap((vector) => {
    // A text that is not JSON is refused before any schema applies.
    const { value } = vector.valid === false && vector.data === undefined ? {} : contentOf(vector);
    const answer = value !== undefined && accepts(value);
    return vector.valid === undefined || answer === vector.valid ? [] : [vector.id];
  });
}

const ipv4: JsonObject = { type: "string", format: "ipv4" };
const schemas: Record<string, JsonObject> = {
  anyOf: { anyOf: [ipv4, { type: "string", format: "ipv6" }, { type: "null" }] },
  oneOf: {
    oneOf: [
      { type: "string", format: "date" },
      { type: "string", format: "date-time" },
    ],
  },
  not: { type: "string", not: { format: "ipv4" } },
  if: { type: "string", if: { format: "ipv4" }, then: { maxLength: 9 }, else: { maxLength: 5 } },
  contains: { type: "array", contains: ipv4, maxContains: 1 },
  propertyNames: { type: "object", propertyNames: { format: "ipv4" }, minProperties: 1 },
  dependentSchemas: { type: "object", dependentSchemas: { a: { properties: { b: ipv4 } } } },
};

describe.each(Object.entries(schemas))("a format under %s", (_, schema) => {
  it("does not fail readers that assert only some formats or none, if formats are annotations", async () => {
    const binding = (await vectorsOf(schema, "annotate")).filter(({ level }) => level === undefined);
    for (const names of [[], ["ipv4"], ["ipv6"], ["date"], ["date-time"]])
      expect([names, misjudgedIds(binding, ajvAsserting(schema, names))]).toEqual([names, []]);
  });

  it("is binding if formats are assertions, and its vectors need `format-assertion`", async () => {
    const vectors = await vectorsOf(schema, "assert");
    const misjudged = misjudgedIds(vectors, ajvAsserting(schema, []));
    expect(misjudged.length).toBeGreaterThan(0);
    for (const { id, level, needs } of vectors) {
      expect([id, level]).toEqual([id, undefined]);
      if (misjudged.includes(id)) expect([id, needs]).toEqual([id, expect.arrayContaining(["format-assertion"])]);
    }
  });
});
