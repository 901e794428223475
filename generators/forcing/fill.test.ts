import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { minimise } from "../corpus/minimise.ts";
import { plan } from "../corpus/plan.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { kills } from "./judge.ts";
import type { Mutant } from "./mutant.ts";
import { tableOf } from "./table.ts";
import { tellingInstances } from "./tell.ts";

const forced = async (schema: JsonObject) => {
  const all = [document(schema)];
  const model = await compileModel(all, id);
  const planned = plan({ model, samples: [], elsewhere: new Set() }, all);
  const drafts = [...planned.valid, ...planned.invalid];
  const needed = minimise(model, planned.forcing.all, drafts);
  return { all, model, planned, needed, table: tableOf(planned.forcing, needed.kills) };
};
const called = (mutants: readonly Mutant[], says: string): Mutant =>
  mutants.find((each) => each.says === says) as Mutant;

describe("forcing", () => {
  it("proves that only one instance tells a mutant apart", async () => {
    const { table } = await forced({
      type: "object",
      required: ["id"],
      properties: { id: { type: "string", pattern: "^[a-z]+$" } },
      additionalProperties: false,
    });
    const only = table.unforced.filter(({ why }) => why === "only one instance tells it apart (proven)");
    expect(only.map(({ says }) => says).sort()).toEqual([
      "id is optional",
      'id may be "", as if it were absent',
      "null is allowed too",
      "null is allowed too",
      "one fewer is enough for + after [a-z]",
      "required is not checked",
    ]);
    expect(table.unforced).toEqual(only);
    expect([table.once, table.only]).toEqual([6, 6]);
  });

  it("proves that a mutant is no mistake", async () => {
    const { planned, table } = await forced({ enum: ["a", "b"], type: "string" });
    const mutant = called(planned.forcing.all, "number is allowed too");
    expect(planned.forcing.equivalent.has(mutant)).toBe(true);
    expect(table.equivalent).toBeGreaterThan(2);
    expect(table.unforced.filter(({ kills: count }) => count === 0)).toEqual([]);
  });

  it("says which mutants ask for too much", async () => {
    const { table } = await forced({ type: "string", maxLength: 1_000_000 });
    const large = table.unforced.filter(({ site }) => site.endsWith("/maxLength"));
    expect(large.map(({ why }) => why)).toEqual(
      Array(3).fill("an instance that tells it apart is too large to publish"),
    );
  });

  it("never takes a mutant for no mistake that some instance tells apart", async () => {
    const { model, planned } = await forced({
      type: "object",
      required: ["id"],
      properties: { id: { type: "string" } },
    });
    const mutant = called(planned.forcing.all, "null is allowed too");
    expect([...tellingInstances(model, mutant, {}, 9)]).toEqual([{ found: null }]);
    expect([...tellingInstances(model, mutant, {}, 9, [null])]).toEqual([{ none: true }]);
  });

  it("counts as Ajv counts with the mutated schema", async () => {
    const { all, planned, needed } = await forced({
      type: "object",
      required: ["kind"],
      properties: { kind: { enum: ["a", "b"] }, note: { type: "string", minLength: 2, maxLength: 5 } },
      if: { properties: { kind: { const: "a" } } },
      then: { required: ["note"] },
      oneOf: [{ properties: { kind: { const: "a" } } }, { properties: { kind: { const: "b" } }, maxProperties: 2 }],
    });
    const vectors = [...needed.kept].map(({ data, fault }) => ({ data, valid: fault === undefined }));
    for (const mutant of planned.forcing.all) {
      const count = kills(all, id, mutant, vectors as Parameters<typeof kills>[3]);
      expect([mutant.says, needed.kills.get(mutant)]).toEqual([mutant.says, count]);
    }
  });
});
