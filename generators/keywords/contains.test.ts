import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { withoutSite } from "../evaluate/reduced-model.ts";
import { sites } from "../evaluate/sites.ts";
import { findFailingSites } from "../mutation/failing-assertions.ts";
import { removeSite } from "../mutation/removed-site.ts";
import { compileAjv } from "../oracle/ajv.ts";
import { foreignOracle } from "../oracle/foreign-oracle.ts";
import { solve } from "../solve/solve.ts";

const $id = "https://contains.test/a";
const compile = async (schema: JsonObject) => {
  const schemas = [{ $schema: "https://json-schema.org/draft/2020-12/schema", $id, ...schema }];
  return { schemas, model: await compileModel(schemas, $id) };
};

describe("contains, minContains and maxContains", () => {
  it.each<[JsonObject, number[], string]>([
    [{ contains: { const: 1 } }, [], "contains"],
    [{ contains: { const: 1 }, maxContains: 2 }, [], "contains"],
    [{ contains: { const: 1 }, maxContains: 2 }, [1, 1, 1], "maxContains"],
    [{ contains: { const: 1 }, minContains: 2, maxContains: 2 }, [1], "minContains"],
    [{ contains: { const: 1 }, minContains: 2 }, [], "minContains"],
    [{ contains: { const: 1 }, minContains: 0, maxContains: 1 }, [1, 1], "maxContains"],
  ])("are separate assertions: %j refuses %j", async (schema, list, name) => {
    const { schemas, model } = await compile(schema);
    const site = `${$id}#/${name}`;
    expect(findFailingSites(model, list)).toEqual([site]);
    expect(isValid(withoutSite(model, site)?.model ?? model, list)).toBe(true);
    expect(compileAjv(removeSite(schemas, site), $id, "quick")(list)).toBe(true);
  });

  it("can each be removed alone", async () => {
    const { model } = await compile({ contains: { const: 1 }, minContains: 2, maxContains: 3 });
    const siteNames = sites(model).map(({ location }) => location.replace(/.*\//, ""));
    expect(siteNames.sort()).toEqual(["maxContains", "minContains"]);
    expect(isValid(model, [1, 1, 1, 1], { without: `${$id}#/minContains` })).toBe(false);
    expect(isValid(model, [1], { without: `${$id}#/maxContains` })).toBe(false);
  });

  it.each<[string, JsonObject, boolean]>([
    ["2019-09", { items: [{ type: "integer" }] }, false],
    ["2020-12", { prefixItems: [{ type: "integer" }] }, true],
  ])("mark items as evaluated as %s defines it", async (draft, itemsSchema, isAccepted) => {
    const unevaluated = { contains: { type: "string" }, unevaluatedItems: { type: "string", maxLength: 3 } };
    const schema = { $schema: `https://json-schema.org/draft/${draft}/schema`, $id, ...itemsSchema, ...unevaluated };
    const model = await compileModel([schema], $id);
    const oracle = await foreignOracle([schema], $id);
    expect(isValid(model, [1, "aaaa"])).toBe(isAccepted);
    expect(isValid(model, [1, "aaa"])).toBe(true);
    expect(isValid(model, [1])).toBe(false);
    // Ajv treats both drafts alike, so it is wrong on one of them.
    expect(oracle.judge([1, "aaaa"]).verdict).toBe(isAccepted ? "valid" : "disputed");
    const solution = solve(model, [
      { op: "schema", node: model.root, sign: true, scope: {} },
      { op: "in", values: [[1, "aaaa"]] },
    ]);
    expect("none" in solution).toBe(!isAccepted);
  });
});
