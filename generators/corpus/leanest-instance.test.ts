import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { removeUnneeded } from "./leanest-instance.ts";

const conditional = {
  required: ["id"],
  properties: { id: true, list: { items: { type: "object", required: ["b"] } } },
  if: { properties: { insured: { const: true } }, required: ["insured"] },
  then: { required: ["insurance"] },
  else: { not: { required: ["insurance"] } },
};
const subject = async (schema: JsonObject) => ({
  model: await compileModel([document(schema)], id),
  samples: [],
  elsewhere: new Set<string>(),
});

describe("the leanest instance", () => {
  it("lacks unnecessary members at every depth", async () => {
    const listSubject = await subject({ ...conditional, required: ["id", "list"] });
    const instance = { id: 1, insured: false, list: [{ a: 1, b: { c: 1 } }] };
    expect(removeUnneeded(listSubject, instance)).toEqual({ id: 1, list: [{ b: {} }] });
  });

  it("keeps the members that rules and conditions need", async () => {
    const ruledSubject = {
      ...(await subject(conditional)),
      breaches: (each: unknown) => ("a" in Object(each) ? [] : ["A"]),
    };
    expect(removeUnneeded(ruledSubject, { a: 1, id: 1, insured: false })).toEqual({ a: 1, id: 1 });
    const insuredSchema = { ...conditional, required: ["id", "insured"] };
    expect(removeUnneeded(await subject(insuredSchema), { id: 1, insured: true, insurance: 1 })).toEqual({
      id: 1,
      insured: true,
      insurance: 1,
    });
  });
});
