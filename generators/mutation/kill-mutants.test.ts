import { describe, expect, it } from "vitest";
import { isObject, type Json, type JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { minimise } from "../corpus/minimise.ts";
import { planVectors } from "../corpus/plan.ts";
import type { Draft, Subject } from "../drafts/draft.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { distinguishingInstances } from "./distinguish.ts";
import { countKills } from "./judge.ts";
import { type Mutant, mutateModel, requiredKills } from "./mutant.ts";
import { tableOf } from "./table.ts";

const coverSchema = async (schema: JsonObject, options: Partial<Subject> = {}) => {
  const schemas = [document(schema)];
  const model = await compileModel(schemas, id);
  const vectorPlan = planVectors({ model, samples: [], elsewhere: new Set(), ...options }, schemas);
  const drafts = [...vectorPlan.valid, ...vectorPlan.invalid];
  const isDecisive = ({ fault, data }: Draft) => fault !== undefined || (options.breaches?.(data) ?? []).length === 0;
  const needed = minimise(model, vectorPlan.mutants.all, drafts, { isDecisive });
  return { all: schemas, model, planned: vectorPlan, needed, table: tableOf(vectorPlan.mutants, needed.kills) };
};
const choiceSchema: JsonObject = {
  type: "object",
  required: ["kind"],
  properties: { kind: { enum: ["a", "b"] }, note: { type: "string", minLength: 2, maxLength: 5 } },
  if: { properties: { kind: { const: "a" } } },
  then: { required: ["note"] },
  oneOf: [{ properties: { kind: { const: "a" } } }, { properties: { kind: { const: "b" } }, maxProperties: 2 }],
};
const unevaluatedSchema: JsonObject = {
  type: "object",
  allOf: [{ $ref: "#/$defs/times" }],
  properties: { code: { type: "string", pattern: "^[A-Z]{2,9}-[0-9]{2,9}$" }, tag: { type: "string", maxLength: 40 } },
  unevaluatedProperties: false,
  $defs: { times: { type: "object", properties: { at: { type: "string", format: "date" } } } },
};
const findMutant = (mutants: readonly Mutant[], says: string): Mutant =>
  mutants.find((mutant) => mutant.says === says) as Mutant;

describe("the mutation score", () => {
  it("proves that only one instance kills a mutant", async () => {
    const { table, planned, needed } = await coverSchema({
      type: "object",
      required: ["id"],
      properties: { id: { type: "string", pattern: "^[a-z]+$" } },
      additionalProperties: false,
    });
    const killedOnce = table.unforced.filter(
      ({ why }) => why === "killed by one vector, and no other distinguishing instance exists (proven)",
    );
    expect(killedOnce.map(({ says }) => says).sort()).toEqual([
      "an empty string is accepted as an absent value",
      "id is optional",
      'id may be "", as if it were absent',
      "one fewer is enough for + after [a-z]",
      "required is not checked",
      "the type null is allowed too",
      "the type null is allowed too",
    ]);
    expect(table.unforced).toEqual(killedOnce);
    const onceKilled = planned.mutants.all.filter(
      (mutant) => needed.kills.get(mutant) === 1 && requiredKills(mutant) === 2,
    );
    expect([onceKilled.length, table.only]).toEqual([7, 7]);
  });

  it("kills mutants of a condition whose `else` forbids a member", async () => {
    const { table, needed } = await coverSchema({
      type: "object",
      required: ["n"],
      properties: { n: { type: "integer" }, status: { enum: ["draft", "paid"] }, paid: { type: "string" } },
      if: { properties: { status: { const: "paid" } }, required: ["status"] },
      else: { properties: { paid: false } },
    });
    expect(table.unforced.filter(({ operator }) => operator === "absent-condition")).toEqual([]);
    const data = [...needed.kept].filter(({ fault }) => fault !== undefined).map((draft) => draft.data);
    expect(
      data.some((instance) => isObject(instance) && !("status" in instance) && typeof instance.paid === "string"),
    ).toBe(true);
  });

  describe("if semantic rules may refuse a message", () => {
    const schema: JsonObject = {
      type: "object",
      properties: { tag: { type: "string", pattern: "^[a-z]{1,3}$" }, note: { type: "string", maxLength: 2 } },
    };
    /** A tag has at least two letters, and a message with a note has a tag. */
    const breaches = (data: Json): string[] => {
      const { tag, note } = (isObject(data) ? data : {}) as JsonObject;
      return [
        ...(typeof tag === "string" && tag.length < 2 ? ["SHORT"] : []),
        ...(note !== undefined && tag === undefined ? ["BARE"] : []),
      ];
    };

    it("counts mutants separately if the rules may refuse every message that kills them", async () => {
      const { table, needed, planned, model } = await coverSchema(schema, {
        breaches,
        samples: [{ tag: "abc", note: "a" }],
      });
      const entry = table.unforced.find(({ says }) => says === "one more is needed for {1,3} after [a-z]");
      expect(entry).toMatchObject({ kills: 0, why: "only vectors kill it that SHORT may refuse" });
      expect(table.beyond).toBe(table.unforced.filter(({ why }) => why.startsWith("only vectors")).length);
      const mutant = findMutant(planned.mutants.all, "one more is needed for {1,3} after [a-z]");
      const killer = [...needed.kept].find(
        ({ data, fault }) => fault === undefined && !isValid(mutateModel(model, mutant), data),
      );
      expect(breaches(killer?.data as Json)).toEqual(["SHORT"]);
    });

    it("prefers messages that keep the rules, and repairs others if possible", async () => {
      const { table, needed } = await coverSchema(schema, { breaches, samples: [{ tag: "abc", note: "a" }] });
      const ruleBreaking = [...needed.kept].filter(
        ({ data, fault }) => fault === undefined && breaches(data).includes("BARE"),
      );
      expect(ruleBreaking.filter(({ tags }) => tags.includes("forcing"))).toEqual([]);
      expect(table.unforced.filter(({ why }) => why.includes("BARE"))).toEqual([]);
      expect(table.operators?.["text-length"]?.twice).toBeGreaterThan(0);
    });
  });

  it("tests a pattern with strings that no other rule would refuse if they were valid", async () => {
    const version = { type: "string", pattern: "^[0-9]+[.][0-9]+$" };
    const versionIn = (data: Json): string => String(isObject(data) ? data.v : "");
    /** The major version, as read by a program that accepts digits of every script. */
    const major = (data: Json): number => Number(versionIn(data).split(".")[0]);
    const { planned, needed, model } = await coverSchema(
      { type: "object", required: ["v"], properties: { v: version } },
      {
        breaches: (data) => (/^[0-9]+[.][0-9]+$/.test(versionIn(data)) && major(data) !== 1 ? ["MAJOR"] : []),
        samples: [{ v: "1.3" }],
      },
    );
    for (const says of ["[0-9] matches digits of every script", "[0-9] matches a colon as well"]) {
      const mutants = planned.mutants.all.filter((mutant) => mutant.says === says);
      expect(mutants).toHaveLength(2);
      const [, minor] = mutants.map((mutant) => {
        const killers = [...needed.kept].filter(
          ({ data, fault }) => fault !== undefined && isValid(mutateModel(model, mutant), data),
        );
        return killers.map(({ data }) => major(data));
      });
      expect(minor).toEqual([1, 1]);
    }
  });

  it("proves that a mutant is equivalent", async () => {
    const { planned, table } = await coverSchema({ enum: ["a", "b"], type: "string" });
    const mutant = findMutant(planned.mutants.all, "the type number is allowed too");
    expect(planned.mutants.equivalent.has(mutant)).toBe(true);
    expect(table.equivalent).toBeGreaterThan(2);
    expect(table.unforced.filter(({ kills: count }) => count === 0)).toEqual([]);
  });

  it("reports mutants that only instances too large to publish would kill", async () => {
    const { table } = await coverSchema({ type: "string", maxLength: 1_000_000 });
    const unforcedLimits = table.unforced.filter(({ site }) => site.endsWith("/maxLength"));
    expect(unforcedLimits.map(({ why }) => why)).toEqual(
      Array(3).fill("a distinguishing instance is too large to publish"),
    );
  });

  it("finds the only instance that kills a mutant, and proves that there is no other", async () => {
    const { model, planned } = await coverSchema({
      type: "object",
      required: ["id"],
      properties: { id: { type: "string" } },
    });
    const mutant = findMutant(planned.mutants.all, "the type null is allowed too");
    expect([...distinguishingInstances(model, mutant, { hint: {}, limit: 9 })]).toEqual([{ found: null }]);
    expect([...distinguishingInstances(model, mutant, { hint: {}, limit: 9, known: [null] })]).toEqual([
      { none: true },
    ]);
  });

  it.each<[string, JsonObject]>([
    ["choices and conditions", choiceSchema],
    ["unevaluated members, and vectors that combine many values", unevaluatedSchema],
  ])("agrees with Ajv on the mutated schema, for %s", async (_name, schema) => {
    const { all, model, planned, needed } = await coverSchema(schema);
    const vectors = [...needed.kept].map(({ data, fault }) => ({ data, valid: fault === undefined }));
    for (const mutant of planned.mutants.all) {
      const count = countKills(
        { model, schemas: all, schema: id },
        mutant,
        vectors as Parameters<typeof countKills>[2],
      );
      expect([mutant.says, needed.kills.get(mutant)]).toEqual([mutant.says, count]);
    }
  });
});
