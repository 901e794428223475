import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { withoutFormats, withoutSite } from "../evaluate/reduced-model.ts";
import { planVectors } from "./plan.ts";

const $id = "https://beside.test/a";

async function planOf(schema: JsonObject, annotates: boolean) {
  const schemas = [{ $schema: "https://json-schema.org/draft/2020-12/schema", $id, ...schema }];
  const model = await compileModel(schemas, $id);
  return {
    model,
    ...planVectors({ model, samples: [], elsewhere: new Set(), ...(annotates ? { annotates } : {}) }, schemas),
  };
}

const member = (memberSchema: JsonObject): JsonObject => ({ type: "object", properties: { a: memberSchema } });

describe("an assertion that a format hides", () => {
  it.each<[string, JsonObject, isNew: boolean]>([
    ["/properties/a/minLength", member({ type: "string", format: "uri", minLength: 1 }), true],
    ["/properties/a/maxLength", member({ type: "string", format: "date", maxLength: 10 }), true],
    ["/properties/a/pattern", member({ type: "string", format: "ipv4", pattern: "^[0-9.]+$" }), false],
    ["/allOf/1/minLength", { allOf: [{ format: "uuid" }, { type: "string", minLength: 36 }] }, false],
  ])("is broken for readers that ignore formats: %s", async (at, schema, isNew) => {
    const { model, invalid, valid } = await planOf(schema, true);
    const modelWithoutFormats = withoutFormats(model);
    const modelWithoutSite = withoutSite(modelWithoutFormats, `${$id}#${at}`)?.model ?? modelWithoutFormats;
    const detectsMissingSite = ({ data }: { data: Json }): boolean =>
      isValid(modelWithoutSite, data) && !isValid(modelWithoutFormats, data);
    const detecting = invalid.filter(detectsMissingSite);
    expect(detecting.length).toBeGreaterThan(0);
    expect(detecting.filter(({ data }) => isValid(model, data))).toEqual([]);
    expect(detecting.every(({ parent }) => parent !== undefined && valid.includes(parent))).toBe(true);
    expect((await planOf(schema, false)).invalid.some(detectsMissingSite)).toBe(!isNew);
  });
});
