import { describe, expect, it } from "vitest";
import { isObject, type Json, type JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { minimise } from "../corpus/minimise.ts";
import { plan } from "../corpus/plan.ts";
import type { Draft, Subject } from "../drafts/draft.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { distinguishingInstances } from "./distinguish.ts";
import { countKills } from "./judge.ts";
import { killsWanted, type Mutant, mutateModel } from "./mutant.ts";
import { tableOf } from "./table.ts";

const filled = async (schema: JsonObject, more: Partial<Subject> = {}) => {
  const all = [document(schema)];
  const model = await compileModel(all, id);
  const planned = plan({ model, samples: [], elsewhere: new Set(), ...more }, all);
  const drafts = [...planned.valid, ...planned.invalid];
  const decides = ({ fault, data }: Draft) => fault !== undefined || (more.breaches?.(data) ?? []).length === 0;
  const needed = minimise(model, planned.mutants.all, drafts, { decides });
  return { all, model, planned, needed, table: tableOf(planned.mutants, needed.kills) };
};
const choosing: JsonObject = {
  type: "object",
  required: ["kind"],
  properties: { kind: { enum: ["a", "b"] }, note: { type: "string", minLength: 2, maxLength: 5 } },
  if: { properties: { kind: { const: "a" } } },
  then: { required: ["note"] },
  oneOf: [{ properties: { kind: { const: "a" } } }, { properties: { kind: { const: "b" } }, maxProperties: 2 }],
};
const leftOver: JsonObject = {
  type: "object",
  allOf: [{ $ref: "#/$defs/times" }],
  properties: { code: { type: "string", pattern: "^[A-Z]{2,9}-[0-9]{2,9}$" }, tag: { type: "string", maxLength: 40 } },
  unevaluatedProperties: false,
  $defs: { times: { type: "object", properties: { at: { type: "string", format: "date" } } } },
};
const called = (mutants: readonly Mutant[], says: string): Mutant =>
  mutants.find((mutant) => mutant.says === says) as Mutant;

describe("the mutation score", () => {
  it("proves that only one instance kills a mutant", async () => {
    const { table, planned, needed } = await filled({
      type: "object",
      required: ["id"],
      properties: { id: { type: "string", pattern: "^[a-z]+$" } },
      additionalProperties: false,
    });
    const only = table.unforced.filter(
      ({ why }) => why === "killed by one vector, and no other distinguishing instance exists (proven)",
    );
    expect(only.map(({ says }) => says).sort()).toEqual([
      "an empty string is accepted as an absent value",
      "id is optional",
      'id may be "", as if it were absent',
      "one fewer is enough for + after [a-z]",
      "required is not checked",
      "the type null is allowed too",
      "the type null is allowed too",
    ]);
    expect(table.unforced).toEqual(only);
    const once = planned.mutants.all.filter((mutant) => needed.kills.get(mutant) === 1 && killsWanted(mutant) === 2);
    expect([once.length, table.only]).toEqual([7, 7]);
  });

  it("finds the instances that a schema refusing everything forbids if a condition is absent", async () => {
    const { table, needed } = await filled({
      type: "object",
      required: ["n"],
      properties: { n: { type: "integer" }, status: { enum: ["draft", "paid"] }, paid: { type: "string" } },
      if: { properties: { status: { const: "paid" } }, required: ["status"] },
      else: { properties: { paid: false } },
    });
    expect(table.unforced.filter(({ operator }) => operator === "absent-condition")).toEqual([]);
    const data = [...needed.kept].filter(({ fault }) => fault !== undefined).map((draft) => draft.data);
    expect(data.some((each) => isObject(each) && !("status" in each) && typeof each.paid === "string")).toBe(true);
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

    it("counts separately the mutants that only messages kill which the rules may refuse", async () => {
      const { table, needed, planned, model } = await filled(schema, {
        breaches,
        samples: [{ tag: "abc", note: "a" }],
      });
      const one = table.unforced.find(({ says }) => says === "one more is needed for {1,3} after [a-z]");
      expect(one).toMatchObject({ kills: 0, why: "only vectors kill it that SHORT may refuse" });
      expect(table.beyond).toBe(table.unforced.filter(({ why }) => why.startsWith("only vectors")).length);
      const shown = called(planned.mutants.all, "one more is needed for {1,3} after [a-z]");
      const killer = [...needed.kept].find(
        ({ data, fault }) => fault === undefined && !isValid(mutateModel(model, shown), data),
      );
      expect(breaches(killer?.data as Json)).toEqual(["SHORT"]);
    });

    it("prefers messages that keep the rules, and repairs others if possible", async () => {
      const { table, needed } = await filled(schema, { breaches, samples: [{ tag: "abc", note: "a" }] });
      const open = [...needed.kept].filter(({ data, fault }) => fault === undefined && breaches(data).includes("BARE"));
      expect(open.filter(({ tags }) => tags.includes("forcing"))).toEqual([]);
      expect(table.unforced.filter(({ why }) => why.includes("BARE"))).toEqual([]);
      expect(table.operators?.["text-length"]?.twice).toBeGreaterThan(0);
    });
  });

  it("tests a pattern with texts that another rule would not refuse if they were valid", async () => {
    const version = { type: "string", pattern: "^[0-9]+[.][0-9]+$" };
    const versionIn = (data: Json): string => String(isObject(data) ? data.v : "");
    /** A reader that reads digits of every script also reads the major version. */
    const major = (data: Json): number => Number(versionIn(data).split(".")[0]);
    const { planned, needed, model } = await filled(
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
    const { planned, table } = await filled({ enum: ["a", "b"], type: "string" });
    const mutant = called(planned.mutants.all, "the type number is allowed too");
    expect(planned.mutants.equivalent.has(mutant)).toBe(true);
    expect(table.equivalent).toBeGreaterThan(2);
    expect(table.unforced.filter(({ kills: count }) => count === 0)).toEqual([]);
  });

  it("names the mutants that need too much", async () => {
    const { table } = await filled({ type: "string", maxLength: 1_000_000 });
    const large = table.unforced.filter(({ site }) => site.endsWith("/maxLength"));
    expect(large.map(({ why }) => why)).toEqual(Array(3).fill("a distinguishing instance is too large to publish"));
  });

  it("never calls a mutant equivalent that some instance kills", async () => {
    const { model, planned } = await filled({
      type: "object",
      required: ["id"],
      properties: { id: { type: "string" } },
    });
    const mutant = called(planned.mutants.all, "the type null is allowed too");
    expect([...distinguishingInstances(model, mutant, { hint: {}, limit: 9 })]).toEqual([{ found: null }]);
    expect([...distinguishingInstances(model, mutant, { hint: {}, limit: 9, known: [null] })]).toEqual([
      { none: true },
    ]);
  });

  it.each<[string, JsonObject]>([
    ["choices and conditions", choosing],
    ["members left over, and values many of which stand together", leftOver],
  ])("agrees with Ajv on the mutated schema, for %s", async (_name, schema) => {
    const { all, model, planned, needed } = await filled(schema);
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
