import { beforeAll, describe, expect, it } from "vitest";
import type { Json, Vector } from "../schemas/index.ts";
import { compileModel } from "./compile/compile.ts";
import { doubtLaw, oneFaultLaw, parentLaw, verdictLaw } from "./laws.ts";
import { type Oracle, oracleFor } from "./oracle/oracle.ts";
import { document, id } from "./testing/schemas.fixture.ts";

const schema = document({
  type: "object",
  required: ["name"],
  properties: { name: { type: "string" }, due: { type: "string", format: "date-time" } },
  additionalProperties: false,
});
const common = { description: "", needs: [], tags: [] };
const valid: Vector = { ...common, id: "valid/full", valid: true, data: { name: "a", due: "2026-01-15T09:30:00Z" } };
const invalid: Vector = {
  ...common,
  id: "invalid/name/missing",
  valid: false,
  data: { due: "2026-01-15T09:30:00Z" },
  site: `${id}#/required/0`,
  parent: "valid/full",
  change: [{ op: "remove", path: "/name" }],
};
const disputed: Vector = {
  ...common,
  id: "disputed/due/space-for-t",
  data: { name: "a", due: "2026-01-15 09:30:00Z" },
  readings: [
    { verdict: "valid", by: ["ajv"] },
    { verdict: "invalid", by: ["hyperjump"] },
  ],
};
const vectors = [valid, invalid, disputed];
const parents = new Map([["valid/full", valid.data as Json]]);

let oracle: Oracle;
beforeAll(async () => {
  oracle = await oracleFor([schema], id);
});

describe("the laws", () => {
  it("hold for sound vectors, and for those without an instance", () => {
    const raw: Vector = { ...common, id: "raw/trailing", valid: false, raw: "{}}" };
    for (const sound of [vectors, [raw]]) {
      expect(verdictLaw(oracle, sound)).toEqual([]);
      expect(parentLaw(oracle, parents, sound)).toEqual([]);
      expect(oneFaultLaw([schema], id, sound)).toEqual([]);
    }
  });
});

describe("verdictLaw", () => {
  it.each<[string, Vector]>([
    ["a refused instance that is called valid", { ...invalid, valid: true }],
    ["an accepted instance that is called invalid", { ...valid, valid: false }],
    ["a disputed instance with a verdict", { ...disputed, valid: true }],
    [
      "a disputed vector with an undisputed instance",
      { ...common, id: "disputed/a", data: { name: "a" }, readings: [{ verdict: "valid", by: ["ajv"] }] },
    ],
  ])("reports %s", (_what, vector) => {
    expect(verdictLaw(oracle, [...vectors, vector])).toEqual([
      { id: vector.id, law: "verdict", why: expect.stringMatching(/the oracles say/) },
    ]);
  });

  it("allows the specification to dispute a verdict on which the validators agree", () => {
    const agreedVector: Vector = { ...disputed, data: { name: "a" } };
    expect(verdictLaw(oracle, [agreedVector])).toEqual([]);
  });
});

describe("doubtLaw", () => {
  it("reports a verdict that depends on a leap second, but no other verdict", async () => {
    const leap = "2016-12-31T23:59:60Z";
    const model = await compileModel([schema], id);
    const accepted: Vector = { ...valid, data: { name: "a", due: leap } };
    const refused: Vector = { ...invalid, data: { due: leap } };
    expect(doubtLaw(model, [...vectors, accepted, refused])).toEqual([
      { id: valid.id, law: "doubt", why: expect.stringMatching(/leap/) },
    ]);
  });
});

describe("parentLaw", () => {
  const { parent: _, change: __, ...orphan } = invalid;
  it.each<[string, Vector, law: string]>([
    ["an invalid vector without a parent", orphan, "parent"],
    ["an absent parent", { ...invalid, parent: "valid/other" }, "parent"],
    ["a parent that is not valid", { ...invalid, parent: "invalid/other" }, "undo"],
    ["a change that does not apply", { ...invalid, change: [{ op: "remove", path: "/none" }] }, "change"],
    ["a change that leads into a string", { ...invalid, change: [{ op: "remove", path: "/name/0" }] }, "change"],
    ["a change that leads elsewhere", { ...invalid, change: [{ op: "remove", path: "/due" }] }, "change"],
    ["an instance that was edited by hand", { ...invalid, data: { due: "2026-01-15T09:30:01Z" } }, "change"],
  ])("reports %s", (_what, vector, law) => {
    const allParents = new Map<string, Json>([...parents, ["invalid/other", {}]]);
    expect(parentLaw(oracle, allParents, [vector])).toEqual([{ id: vector.id, law, why: expect.any(String) }]);
  });

  it("ignores the order of members", () => {
    const change = [{ op: "replace" as const, path: "/name", value: 1 }];
    const data = { due: "2026-01-15T09:30:00Z", name: 1 };
    expect(parentLaw(oracle, parents, [{ ...invalid, data, change }])).toEqual([]);
  });
});

describe("oneFaultLaw", () => {
  it.each<[string, Partial<Vector>]>([
    ["a second fault", { data: { due: 1 } }],
    ["a different site", { site: `${id}#/properties/due/format` }],
  ])("reports %s", (_what, part) => {
    expect(oneFaultLaw([schema], id, [valid, { ...invalid, ...part }])).toEqual([
      { id: invalid.id, law: "one-fault", why: expect.stringContaining("still refused without") },
    ]);
  });

  it("throws for a site that the schemas do not have", () => {
    expect(() => oneFaultLaw([schema], id, [{ ...invalid, site: `${id}#/required/7` }])).toThrow(/nothing at/);
  });
});
