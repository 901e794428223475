import { beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import type { Draft } from "../drafts/draft.ts";
import { isValid } from "../evaluate/evaluate.ts";
import type { Model } from "../model/model.ts";
import { Witnesses, witnessOf } from "../mutation/kills.ts";
import { type Mutant, requiredKills } from "../mutation/mutant.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { minimise, type NeededDrafts } from "./minimise.ts";
import { type Plan, planVectors } from "./plan.ts";

const code = { type: "string", pattern: "^[a-z]{2,4}$" };
const point = {
  type: "object",
  required: ["x"],
  additionalProperties: false,
  properties: { x: { type: "integer", minimum: 0 }, label: code },
};

const schemas: Record<string, JsonObject> = {
  "the same assertions at many places": {
    type: "object",
    required: ["a"],
    additionalProperties: false,
    properties: {
      a: code,
      b: code,
      c: code,
      d: code,
      level: { enum: ["low", "high"] },
      other: { enum: ["low", "high"] },
    },
  },
  "a definition that is referred to from several places": {
    type: "object",
    required: ["from"],
    properties: {
      from: { $ref: "#/$defs/point" },
      to: { $ref: "#/$defs/point" },
      via: { items: { $ref: "#/$defs/point" } },
    },
    $defs: { point },
  },
  "a choice": {
    type: "object",
    oneOf: [
      { required: ["kind", "a"], properties: { kind: { const: "a" }, a: code } },
      { required: ["kind"], properties: { kind: { const: "b" }, b: { type: "boolean" } } },
    ],
    unevaluatedProperties: false,
  },
};

describe.each(Object.entries(schemas))("the least set for %s", (_name, schema) => {
  let model: Model;
  let planned: Plan;
  let drafts: Draft[];
  let needed: NeededDrafts;

  beforeAll(async () => {
    model = await compileModel([document(schema)], id);
    planned = planVectors({ model, samples: [], elsewhere: new Set() }, [document(schema)]);
    drafts = [...planned.valid, ...planned.invalid];
    const witnesses = new Witnesses(
      model,
      drafts.map((draft) => ({ ...witnessOf(model, draft.data), draft })),
    );
    for (const mutant of planned.mutants.all)
      killers.set(mutant, new Set(witnesses.findKillers(mutant, drafts.length).map(({ draft }) => draft)));
    needed = minimise(model, planned.mutants.all, drafts);
  });

  const killers = new Map<Mutant, ReadonlySet<Draft>>();
  /** In its own document, a draft with many values at once only counts for fine-grained mutants. */
  const kills = (mutant: Mutant, among: readonly Draft[]): number => {
    const counting = among.filter(({ packed }) => packed !== true || mutant.isFineGrained === true);
    return Math.min(counting.filter((draft) => killers.get(mutant)?.has(draft)).length, requiredKills(mutant));
  };
  const featuresOf = (among: Iterable<Draft>): Set<string> =>
    new Set([...among].flatMap(({ features, uniqueFeatures }) => [...features, ...uniqueFeatures]));

  it("is smaller than the whole set", () => {
    expect(needed.kept.size).toBeLessThan(drafts.length * 0.95);
  });

  it("has every feature of the whole set, and the parents of its drafts", () => {
    expect(featuresOf(needed.kept)).toEqual(featuresOf(drafts));
    for (const { parent } of needed.kept) if (parent !== undefined) expect(needed.kept).toContain(parent);
  });

  it("kills each mutant as often as required, if the whole set does", () => {
    const keptDrafts = drafts.filter((draft) => needed.kept.has(draft));
    for (const mutant of planned.mutants.all) {
      expect([mutant.says, kills(mutant, keptDrafts)]).toEqual([mutant.says, kills(mutant, drafts)]);
      const killingDrafts = keptDrafts.filter((draft) => killers.get(mutant)?.has(draft));
      expect([mutant.says, needed.kills.get(mutant)]).toEqual([mutant.says, Math.min(killingDrafts.length, 2)]);
    }
  });

  it("does not contain a superfluous draft", () => {
    const keptDrafts = [...needed.kept];
    const superfluous = keptDrafts.filter((draft) => {
      const otherDrafts = keptDrafts.filter((other) => other !== draft);
      const isParent = otherDrafts.some(({ parent }) => parent === draft);
      const isShown = featuresOf(otherDrafts).size === featuresOf(keptDrafts).size;
      return (
        !isParent &&
        isShown &&
        planned.mutants.all.every((mutant) => kills(mutant, otherDrafts) === kills(mutant, keptDrafts))
      );
    });
    expect(superfluous.map(({ name }) => name)).toEqual([]);
  });

  it("breaks every assertion that the whole set breaks", () => {
    const broken = (among: Iterable<Draft>) =>
      [...planned.broken].filter((site) =>
        [...among].some(({ data }) => !isValid(model, data) && isValid(model, data, { without: site })),
      );
    expect(broken(needed.kept)).toEqual(broken(drafts));
  });

  it("contains the drafts that are always kept, even if they do not kill a mutant", () => {
    const [first, ...rest] = drafts.filter((draft) => !needed.kept.has(draft));
    expect(minimise(model, planned.mutants.all, rest, { alwaysKept: [first as Draft] }).kept).toContain(first);
  });
});

describe("drafts that are always kept", () => {
  it("count as kills, so that no other draft is kept for the same mutants", async () => {
    const schema = document(schemas["a choice"] as JsonObject);
    const model = await compileModel([schema], id);
    const { valid, invalid, mutants } = planVectors({ model, samples: [], elsewhere: new Set() }, [schema]);
    const drafts = [...valid.map((draft) => ({ ...draft, uniqueFeatures: [], features: [] })), ...invalid];
    const firstChoice = minimise(model, mutants.all, drafts);
    const skippedDrafts = drafts.filter((draft) => !firstChoice.kept.has(draft));
    const secondChoice = minimise(model, mutants.all, drafts, { alwaysKept: skippedDrafts });
    expect(skippedDrafts.length).toBeGreaterThan(0);
    expect(secondChoice.kept.size).toBeLessThan(firstChoice.kept.size + skippedDrafts.length);
    for (const draft of skippedDrafts) expect(secondChoice.kept).toContain(draft);
    for (const mutant of mutants.all) expect(secondChoice.kills.get(mutant)).toBe(firstChoice.kills.get(mutant));
  });
});

describe("the least set", () => {
  const invalidInLeastSet = async (schema: JsonObject): Promise<Draft[]> => {
    const model = await compileModel([document(schema)], id);
    const { valid, invalid, mutants } = planVectors({ model, samples: [], elsewhere: new Set() }, [document(schema)]);
    const { kept } = minimise(model, mutants.all, [...valid, ...invalid]);
    return invalid.filter((draft) => kept.has(draft));
  };
  const countMisses = (drafts: readonly Draft[], member: string) =>
    drafts.filter(({ at, fault }) => at === `/${member}` && fault === "pattern-miss").length;

  it("always requires a near miss that no mutant represents", async () => {
    const schema = document({ properties: { a: code } });
    const { invalid } = planVectors({ model: await compileModel([schema], id), samples: [], elsewhere: new Set() }, [
      schema,
    ]);
    const countFeatures = (detail: string) =>
      invalid.find(({ at, name }) => at === "/a" && name.at(-1) === detail)?.uniqueFeatures.length;
    expect([countFeatures("run-underscore-last"), countFeatures("nul-inside")]).toEqual([0, 1]);
  });

  it("has all near misses of a pattern at its first place, and fewer elsewhere", async () => {
    const drafts = await invalidInLeastSet(schemas["the same assertions at many places"] as JsonObject);
    expect(countMisses(drafts, "a")).toBeGreaterThan(15);
    for (const member of ["b", "c", "d"]) {
      expect(countMisses(drafts, member)).toBeGreaterThan(0);
      expect(countMisses(drafts, member)).toBeLessThan(countMisses(drafts, "a") * 0.85);
    }
  });

  it("has a fault on every path to a definition", async () => {
    const drafts = await invalidInLeastSet(
      schemas["a definition that is referred to from several places"] as JsonObject,
    );
    for (const path of ["/from", "/to", "/via"])
      expect(drafts.filter(({ at }) => at === path || at.startsWith(`${path}/`)).length).toBeGreaterThan(0);
  });
});
