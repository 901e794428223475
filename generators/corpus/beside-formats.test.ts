import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { withoutFormats, withoutSite } from "../evaluate/reduced-model.ts";
import { plan } from "./plan.ts";

const $id = "https://beside.test/a";

async function planned(schema: JsonObject, annotates: boolean) {
  const schemas = [{ $schema: "https://json-schema.org/draft/2020-12/schema", $id, ...schema }];
  const model = await compileModel(schemas, $id);
  return { model, ...plan({ model, samples: [], elsewhere: new Set(), ...(annotates ? { annotates } : {}) }, schemas) };
}

const member = (own: JsonObject): JsonObject => ({ type: "object", properties: { a: own } });

describe("an assertion that is hidden by a format", () => {
  it.each<[string, JsonObject, isNew: boolean]>([
    ["/properties/a/minLength", member({ type: "string", format: "uri", minLength: 1 }), true],
    ["/properties/a/maxLength", member({ type: "string", format: "date", maxLength: 10 }), true],
    ["/properties/a/pattern", member({ type: "string", format: "ipv4", pattern: "^[0-9.]+$" }), false],
    ["/allOf/1/minLength", { allOf: [{ format: "uuid" }, { type: "string", minLength: 36 }] }, false],
  ])("is violated for readers that ignore formats: %s", async (at, schema, isNew) => {
    const { model, invalid, valid } = await planned(schema, true);
    const free = withoutFormats(model);
    const forgotten = withoutSite(free, `${$id}#${at}`)?.model ?? free;
    const shows = ({ data }: { data: Json }): boolean => isValid(forgotten, data) && !isValid(free, data);
    const found = invalid.filter(shows);
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter(({ data }) => isValid(model, data))).toEqual([]);
    expect(found.every(({ parent }) => parent !== undefined && valid.includes(parent))).toBe(true);
    expect((await planned(schema, false)).invalid.some(shows)).toBe(!isNew);
  });
});
