import { beforeAll, describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../schemas/index.ts";
import { applyChanges } from "../changes/patch.ts";
import { compileModel } from "../compile/compile.ts";
import { isValid } from "../evaluate/evaluate.ts";
import type { Model } from "../model/model.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { type Plan, planVectors } from "./plan.ts";

interface Order {
  lines?: { name: string; price: number }[];
  total?: number;
  text?: string;
  length?: number;
  most?: number;
  seats?: number;
  void?: Json;
  tags?: JsonObject;
}

const price = { type: "integer", minimum: 0, maximum: 16 };
const line = {
  type: "object",
  required: ["name", "price"],
  properties: { name: { type: "string", pattern: "^[a-z]+$" }, price },
};
const schema = document({
  type: "object",
  properties: {
    lines: { type: "array", minItems: 1, maxItems: 3, items: line },
    total: { type: "integer", minimum: 0 },
    text: { type: "string", maxLength: 5 },
    length: { type: "integer", minimum: 0 },
    most: { type: "integer", maximum: 20 },
    seats: { type: "integer", minimum: 1 },
    void: true,
    tags: { type: "object", maxProperties: 2, propertyNames: { pattern: "^[A-Za-z]$" }, additionalProperties: true },
  },
  dependentSchemas: { void: { required: ["total"], properties: { lines: false } } },
  additionalProperties: false,
});

const total = ({ lines = [] }: Order): number => lines.reduce((sum, { price }) => sum + price, 0);
const lowerCaseTags = ({ tags = {} }: Order): string[] => Object.keys(tags).map((name) => name.toLowerCase());
const rules: Record<string, (order: Order) => boolean> = {
  "SUM-001": (order) => order.lines === undefined || order.total === undefined || order.total === total(order),
  "NAM-001": ({ lines = [] }) => new Set(lines.map(({ name }) => name)).size === lines.length,
  "LEN-001": ({ text, length }) => text === undefined || length === [...text].length,
  "CAP-001": (order) => order.most === undefined || order.most <= total(order),
  "SEAT-001": ({ seats = 1 }) => seats > 0,
  "TAG-001": (order) => new Set(lowerCaseTags(order)).size === lowerCaseTags(order).length,
};
/** The rules that an instance breaks, if it has the expected shape. */
const brokenRules = (instance: Json): string[] => {
  try {
    return Object.keys(rules).filter((rule) => rules[rule]?.(instance as Order) === false);
  } catch {
    return [];
  }
};

let model: Model;
let plan: Plan;
beforeAll(async () => {
  model = await compileModel([schema], id);
  const samples = [
    { lines: [{ name: "a", price: 2 }], total: 2, text: "ab", length: 2, tags: { a: 1 } },
    {
      lines: [
        { name: "a", price: 2 },
        { name: "b", price: 3 },
      ],
      total: 5,
      most: 5,
      tags: { a: 1, b: 1 },
    },
    { total: 0, void: null },
  ] as Json[];
  plan = planVectors(
    {
      model,
      samples,
      examples: samples,
      breaches: (each, among) => brokenRules(each).filter((rule) => among?.includes(rule) !== false),
      elsewhere: new Set(),
    },
    [schema],
  );
});

const unmaskedDrafts = (site: string) =>
  plan.invalid.filter((draft) => draft.site === `${id}#${site}` && brokenRules(draft.data).length === 0);

describe("a fault that a semantic rule would hide", () => {
  it.each([
    ["a list that is too long, with a name for each item and their sum", "/properties/lines/maxItems"],
    ["an item below its bound, with another sum", "/properties/lines/items/properties/price/minimum"],
    ["an item above its bound, with another sum", "/properties/lines/items/properties/price/maximum"],
    ["a string that is too long, with its length", "/properties/text/maxLength"],
    ["a number above its bound, which the others allow", "/properties/most/maximum"],
    ["one member too many, with a distinct name", "/properties/tags/maxProperties"],
    ["a member that must not be there", "/dependentSchemas/void/properties/lines"],
  ])("is moved to an instance that breaks no rule: %s", (_, site) => {
    expect(unmaskedDrafts(site)).not.toEqual([]);
    expect(plan.broken.has(`${id}#${site}`)).toBe(true);
    for (const { data, parent, change } of unmaskedDrafts(site)) {
      expect([isValid(model, data), isValid(model, data, { without: `${id}#${site}` })]).toEqual([false, true]);
      expect([plan.valid.includes(parent as never), applyChanges(parent?.data ?? null, change ?? [])]).toEqual([
        true,
        data,
      ]);
    }
  });

  it("does not isolate its assertion if it cannot be moved, and the report names the rule", () => {
    const site = `${id}#/properties/seats/minimum`;
    expect(plan.invalid.some((draft) => draft.site === site)).toBe(true);
    expect(plan.broken.has(site)).toBe(false);
    expect(plan.unbroken.filter((unbroken) => unbroken.site === site).map(({ why }) => why)).toEqual([
      "every instance found that violates it alone breaks SEAT-001 too",
    ]);
  });
});
