import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { withoutSite } from "../evaluate/reduced-model.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { findBreakingInstance } from "./isolation.ts";
import { findBreakableSites } from "./plan.ts";

/** A failing branch evaluates no members, so `unevaluatedProperties` applies to them. No path through that branch breaks its assertion alone. */
const hidden: JsonObject = {
  type: "object",
  anyOf: [{ properties: { a: true }, dependentRequired: { a: ["b"] } }, { type: "object" }],
  unevaluatedProperties: { type: "integer" },
};

describe("findBreakingInstance", () => {
  it("finds an instance even if none exists on the path through the assertion's own place", async () => {
    const model = await compileModel([document(hidden)], id);
    const site = `${id}#/anyOf/0/dependentRequired`;
    const solution = findBreakingInstance(model, site);
    const data = "found" in solution ? solution.found : undefined;
    expect(data).toBeDefined();
    expect([isValid(model, data ?? null), isValid(model, data ?? null, { without: site })]).toEqual([false, true]);
    expect(findBreakableSites({ model, samples: [], elsewhere: new Set() }).get(site)).toBe("broken");
  });

  it("proves that no instance breaks an assertion alone", async () => {
    const model = await compileModel([document({ enum: ["a"], type: "string", allOf: [{ minLength: 1 }] })], id);
    for (const at of ["type", "allOf/0/minLength"])
      expect(findBreakingInstance(model, `${id}#/${at}`)).toEqual({ none: true });
    expect(findBreakingInstance(model, `${id}#/enum`)).toEqual({ found: expect.any(String) });
  });
});

describe("withoutSite", () => {
  it("removes a keyword, one entry of required, or a plainly false schema", async () => {
    const model = await compileModel([document({ minLength: 2, required: ["a", "b"], properties: { c: false } })], id);
    const without = (at: string, value: unknown) =>
      isValid(withoutSite(model, `${id}#/${at}`)?.model ?? model, value as never);
    expect([without("minLength", ""), without("required/1", { a: 1 }), without("required/1", { b: 1 })]).toEqual([
      true,
      true,
      false,
    ]);
    expect(without("properties/c", { a: 1, b: 1, c: 1 })).toBe(true);
    expect(withoutSite(model, `${id}#/maximum`)).toBeUndefined();
  });
});
