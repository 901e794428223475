import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { Drafts } from "../drafts/draft.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { withoutSite } from "../evaluate/reduced-model.ts";
import type { Model } from "../model/model.ts";
import { agreement } from "../testing/agreement.fixture.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { breakTogether } from "./joint-faults.ts";
import { type Plan, planVectors } from "./plan.ts";

const planOf = async (schema: JsonObject): Promise<{ model: Model; planned: Plan }> => {
  const schemas = [document(schema)];
  const model = await compileModel(schemas, id);
  return { model, planned: planVectors({ model, samples: [], elsewhere: new Set() }, schemas) };
};

const string = { type: "string" };
const integer = { type: "integer" };

/** Schemas in which two assertions hide each other, with the locations of both. */
const hidingPairs: readonly [name: string, schema: JsonObject, pair: readonly [string, string]][] = [
  ["a constant beside a list of one", { const: 5, enum: [5] }, ["#/const", "#/enum"]],
  ["a choice that is written twice", { anyOf: [string, integer], oneOf: [string, integer] }, ["#/anyOf", "#/oneOf"]],
  [
    "a minimum length beside `contains`",
    { allOf: [{ minItems: 1 }, { contains: true }] },
    ["#/allOf/0/minItems", "#/allOf/1/contains"],
  ],
  [
    "names that are closed twice",
    { type: "object", properties: { a: true }, additionalProperties: false, propertyNames: { enum: ["a"] } },
    ["#/additionalProperties", "#/propertyNames/enum"],
  ],
];

describe("assertions that hide each other", () => {
  it.each(hidingPairs)("are broken together: %s", async (_, schema, pair) => {
    const { model, planned } = await planOf(schema);
    const relaxedModel = pair.reduce((rest, at) => withoutSite(rest, `${id}${at}`)?.model ?? rest, model);
    const judge = await agreement(document(schema));
    const breakingBoth = planned.invalid.filter(({ data }) => isValid(relaxedModel, data));
    expect(breakingBoth.length).toBeGreaterThan(0);
    for (const { data, site, because, parent, change } of breakingBoth) {
      expect([site, pair.some((at) => because?.startsWith(`${id}${at}`)), judge(data)]).toEqual([
        undefined,
        true,
        false,
      ]);
      expect([planned.valid.includes(parent as never), change !== undefined]).toEqual([true, true]);
    }
  });

  it.each(hidingPairs)("are reported as unbroken because of each other: %s", async (_, schema, [first, second]) => {
    const { unbroken } = (await planOf(schema)).planned;
    const why = new Map(unbroken.map((each) => [each.site.slice(id.length), each.why]));
    expect(why.get(first)).toMatch(
      new RegExp(`^no instance breaks it alone: whatever does also breaks .*${second} \\(proven\\)$`),
    );
    expect(why.get(second)).toMatch(
      new RegExp(`^no instance breaks it alone: whatever does also breaks .*${first} \\(proven\\)$`),
    );
  });
});

describe("an assertion that another implies", () => {
  it.each<[string, JsonObject, string, string]>([
    ["a type beside a list", { type: "string", enum: ["a", "b"] }, "#/type", "whatever does also breaks #/enum"],
    [
      "a count of members",
      { required: ["a"], minProperties: 1 },
      "#/minProperties",
      "whatever does also breaks #/required/0",
    ],
    ["a length of zero", { type: "string", minLength: 0 }, "#/minLength", "no value breaks it"],
  ])("is reported with it, and needs no vectors that break both: %s", async (_, schema, site, why) => {
    const { planned } = await planOf(schema);
    const entry = planned.unbroken.find((unbroken) => unbroken.site === `${id}${site}`);
    expect(entry?.why).toBe(`no instance breaks it alone: ${why} (proven)`);
    expect(
      planned.invalid.filter(({ features }) => features.some((feature) => feature.startsWith("with others"))),
    ).toEqual([]);
  });

  it("is reported with an example if no single assertion always fails with it", async () => {
    const kinds = ["x", "y"].map((name) => ({ properties: { k: { const: name } } }));
    const { planned } = await planOf({ required: ["k"], properties: { k: { enum: ["x", "y"] } }, oneOf: kinds });
    expect(planned.unbroken.find(({ site }) => site === `${id}#/properties/k/enum`)?.why).toBe(
      "no instance breaks it alone: whatever does also breaks others, such as #/oneOf/0/properties/k/const (proven)",
    );
    expect(planned.invalid.find(({ because }) => because === `${id}#/required/0`)?.data).toEqual({});
  });

  it.each<[string, JsonObject, string, readonly unknown[]]>([
    ["a list of kinds", { enum: ["x", "y"] }, "not-in-enum", ["unknown-value", null, "X"]],
    ["a type", { type: "string" }, "wrong-type", [null, 7, true]],
  ])("is still broken if only branches imply it: %s", async (_, member, fault, values) => {
    const branches = ["x", "y"].map((each) => ({ required: [each], properties: { k: { const: each } } }));
    const schema = { required: ["k"], properties: { k: member }, oneOf: branches };
    const { planned } = await planOf(schema);
    const judge = await agreement(document(schema));
    const hiddenFaults = planned.invalid.filter((draft) => draft.fault === fault && draft.at === "/k");
    expect(hiddenFaults.map(({ data }) => (data as JsonObject).k)).toEqual(expect.arrayContaining([...values]));
    for (const { data, site, because } of hiddenFaults)
      expect([site, because?.startsWith(`${id}#/properties/k/`), judge(data)]).toEqual([undefined, true, false]);
  });

  it("is broken even if the implication is not proven", async () => {
    const branches = ["x", "y"].map((each) => ({ required: [each], properties: { k: { const: each } } }));
    const schemas = [document({ required: ["k"], properties: { k: { enum: ["x", "y"] } }, oneOf: branches })];
    const subject = { model: await compileModel(schemas, id), samples: [], elsewhere: new Set<string>() };
    const site = `${id}#/properties/k/enum`;
    const faults = { valid: new Drafts(), invalid: new Drafts(), broken: new Set<string>() };
    breakTogether(subject, { ...faults, reasons: new Map([[site, { kind: "undecided", why: "no way was found" }]]) });
    expect(faults.invalid.all.map(({ because, data }) => [because, (data as JsonObject).k])).toContainEqual([
      site,
      null,
    ]);
  });

  it("is isolated in a branch other than the one that implies it", async () => {
    const { planned } = await planOf({
      anyOf: [{ minLength: 3 }, { pattern: "^...$" }, { type: "null" }],
      type: ["string", "null"],
    });
    expect(planned.unbroken.map(({ why }) => why).filter((why) => why.includes("#/anyOf/1/pattern (proven)"))).toEqual(
      [],
    );
  });
});
