import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { sites } from "../evaluate/sites.ts";
import { withoutSite } from "../evaluate/without.ts";
import { failing } from "../mutation/broken.ts";
import { without } from "../mutation/weaken.ts";
import { compileAjv } from "../oracle/ajv.ts";

const $id = "https://contains.test/a";
const of = async (schema: JsonObject) => {
  const schemas = [{ $schema: "https://json-schema.org/draft/2020-12/schema", $id, ...schema }];
  return { schemas, model: await compileModel(schemas, $id) };
};

describe("the counts of items that a list contains", () => {
  it.each<[JsonObject, number[], string]>([
    [{ contains: { const: 1 } }, [], "contains"],
    [{ contains: { const: 1 }, maxContains: 2 }, [], "contains"],
    [{ contains: { const: 1 }, maxContains: 2 }, [1, 1, 1], "maxContains"],
    [{ contains: { const: 1 }, minContains: 2, maxContains: 2 }, [1], "minContains"],
    [{ contains: { const: 1 }, minContains: 2 }, [], "minContains"],
    [{ contains: { const: 1 }, minContains: 0, maxContains: 1 }, [1, 1], "maxContains"],
  ])("are assertions of their own: %j and %j", async (schema, list, name) => {
    const { schemas, model } = await of(schema);
    const site = `${$id}#/${name}`;
    expect(failing(model, list)).toEqual([site]);
    expect(isValid(withoutSite(model, site)?.model ?? model, list)).toBe(true);
    expect(compileAjv(without(schemas, site), $id, "quick")(list)).toBe(true);
  });

  it("are each taken out alone", async () => {
    const { model } = await of({ contains: { const: 1 }, minContains: 2, maxContains: 3 });
    const all = sites(model).map(({ location }) => location.replace(/.*\//, ""));
    expect(all.sort()).toEqual(["maxContains", "minContains"]);
    expect(isValid(model, [1, 1, 1, 1], { without: `${$id}#/minContains` })).toBe(false);
    expect(isValid(model, [1], { without: `${$id}#/maxContains` })).toBe(false);
  });
});
