import { describe, expect, it } from "vitest";
import { type JsonObject, protocolsNamed } from "../schemas/index.ts";
import { compileModel, identifier } from "./compile/compile.ts";
import { lint } from "./lint.ts";
import { document, id } from "./testing/schemas.fixture.ts";

const misspelt = async (schemas: readonly JsonObject[], entry: string): Promise<string[]> => {
  const findings = lint(await compileModel(schemas, entry), schemas, { unbroken: [] }, () => true);
  return findings.filter(({ kind }) => kind === "unknown-keyword").map(({ at, why }) => `${at} ${why}`);
};
const inOne = (schema: JsonObject): Promise<string[]> => misspelt([document(schema)], id);

describe("names that are nearly keywords", () => {
  it("are told, in their order, wherever a schema stands", async () => {
    expect(
      await inOne({
        typ: "object",
        properties: { a: { minLenght: 3 } },
        allOf: [{ requried: [] }],
        $defs: { b: { typ: 1 } },
      }),
    ).toEqual([
      `${id}#/typ no keyword \`typ\` in 2020-12; did you mean \`type\`?`,
      `${id}#/properties/a/minLenght no keyword \`minLenght\` in 2020-12; did you mean \`minLength\`?`,
      `${id}#/allOf/0/requried no keyword \`requried\` in 2020-12; did you mean \`required\`?`,
      `${id}#/$defs/b/typ no keyword \`typ\` in 2020-12; did you mean \`type\`?`,
    ]);
  });

  it.each<[string, JsonObject]>([
    ["members and definitions", { properties: { typ: true }, $defs: { itens: {} }, dependentSchemas: { typ: {} } }],
    ["data", { enum: [{ typ: 1 }], const: { typ: 1 }, default: { typ: 1 }, examples: [{ typ: 1 }] }],
    ["annotations", { nullable: true, "x-typ": 1, $typ: 1, units: "m" }],
    ["where references lead", { properties: { a: { $ref: "#/types/a" } }, types: { a: { type: "string" } } }],
  ])("are not %s", async (_, schema) => {
    expect(await inOne(schema)).toEqual([]);
  });

  it.each(protocolsNamed("all"))("are not in the schemas of $name $version", async ({ schemas }) => {
    const [first] = schemas as [JsonObject];
    expect(await misspelt(schemas, identifier(first))).toEqual([]);
  });
});
