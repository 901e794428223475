import { describe, expect, it } from "vitest";
import { canonical, type Json, type JsonObject, pointer } from "../../schemas/index.ts";
import { applyChanges } from "../changes/patch.ts";
import { compileModel } from "../compile/compile.ts";
import type { Draft } from "../drafts/draft.ts";
import { holdsAt } from "../evaluate/evaluate.ts";
import { Effort } from "../model/effort.ts";
import { removeSite } from "../mutation/removed-site.ts";
import { compileAjv } from "../oracle/ajv.ts";
import { agreement } from "../testing/agreement.fixture.ts";
import { lifeCycle } from "../testing/conditionals.fixture.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { findBreakableSites, type Plan, planVectors } from "./plan.ts";

const text = { type: "string", minLength: 1 };
const closed = { type: "object", additionalProperties: false };
const kinds = (...names: string[]) =>
  names.map((kind) => ({ required: ["kind"], properties: { kind: { const: kind } } }));

const schemas: Record<string, JsonObject> = {
  "a closed object": {
    ...closed,
    required: ["id"],
    properties: { id: { type: "string", pattern: "^[a-z]{2,4}$" }, level: { enum: ["low", "high", null] }, note: text },
  },
  "a choice with a discriminator": {
    type: "object",
    oneOf: [
      { ...closed, required: ["kind", "a"], properties: { kind: { const: "a" }, a: { type: "integer", minimum: 1 } } },
      { ...closed, required: ["kind"], properties: { kind: { const: "b" }, b: { type: "boolean" } } },
    ],
  },
  "a condition": {
    type: "object",
    required: ["kind"],
    properties: { kind: { enum: ["timed", "open"] }, until: { type: "string", format: "date" } },
    if: { properties: { kind: { const: "timed" } } },
    then: { required: ["until"] },
    else: { not: { required: ["until"] } },
  },
  "a forbidden member": { type: "object", properties: { a: text }, not: { required: ["b"] } },
  "a choice with overlapping branches": {
    type: "object",
    anyOf: [{ required: ["a"] }, { required: ["b"] }],
    properties: { a: text, b: text },
  },
  "a list with a required item": {
    type: "array",
    items: { enum: [1, 2, 3] },
    contains: { const: 1 },
    maxContains: 2,
    maxItems: 4,
  },
  "a list of different items": {
    type: "array",
    minItems: 1,
    uniqueItems: true,
    items: { ...closed, properties: { a: { type: "boolean" } } },
  },
  "members that need others": {
    type: "object",
    properties: { card: { type: "integer" }, address: text },
    dependentRequired: { card: ["address"] },
    dependentSchemas: { address: { maxProperties: 2 } },
  },
  "a tree": {
    ...closed,
    required: ["name"],
    properties: { name: text, children: { type: "array", maxItems: 2, items: { $ref: "#" } } },
  },
  "unevaluated members": {
    type: "object",
    allOf: [{ properties: { a: text } }, { oneOf: kinds("x", "y") }],
    unevaluatedProperties: false,
  },
};

/** The assertions that cannot be isolated, because a value of another type breaks more. */
const unbreakable: Record<string, string[]> = {
  "a choice with a discriminator": ["#/type", "#/oneOf/0/type", "#/oneOf/1/type"],
  "a forbidden member": ["#/type"],
  "unevaluated members": ["#/type"],
};

const cachedPlans: Record<string, Plan> = {};
const planOf = async (name: string): Promise<Plan> => {
  const schemaList = [document(schemas[name] as JsonObject)];
  const model = await compileModel(schemaList, id);
  return planVectors({ model, samples: [], elsewhere: new Set() }, schemaList);
};
const labelOf = ({ name, data }: Draft) => `${name.join(" ")} ${JSON.stringify(data)}`;

/** Yields the schema and all schemas inside it, with the pointer to each. */
function* schemasInside(schema: Json, at: string): Generator<{ at: string; schema: JsonObject }> {
  if (typeof schema !== "object" || schema === null) return;
  if (!Array.isArray(schema)) yield { at, schema };
  for (const [name, value] of Object.entries(schema)) yield* schemasInside(value, pointer.append(at, name));
}

/** Yields the instance and all values inside it. */
function* valuesIn(instance: Json): Generator<Json> {
  yield instance;
  if (typeof instance === "object" && instance !== null)
    for (const value of Object.values(instance)) yield* valuesIn(value);
}

describe.each(Object.keys(schemas))("the plan of %s", (name) => {
  const schemaList = [document(schemas[name] as JsonObject)];
  const cachedPlan = async (): Promise<Plan> => {
    cachedPlans[name] ??= await planOf(name);
    return cachedPlans[name];
  };

  it("has valid instances that both validators accept, each once", async () => {
    const { valid } = await cachedPlan();
    const judge = await agreement(schemaList[0] as JsonObject);
    expect(valid.filter(({ data }) => judge(data) !== true).map(labelOf)).toEqual([]);
    expect(new Set(valid.map(({ data }) => canonical(data))).size).toBe(valid.length);
    expect(valid.length).toBeGreaterThan(1);
  });

  it("has instances that both validators refuse, and that Ajv accepts without the assertion at the site", async () => {
    const { invalid } = await cachedPlan();
    const judge = await agreement(schemaList[0] as JsonObject);
    // Beside a choice, Ajv treats a member with an inherited name as evaluated by a branch.
    const isInherited = ({ at }: Draft) => at === "/__proto__" || at === "/constructor" || at === "/toString";
    expect(invalid.filter((draft) => judge(draft.data) !== false && !isInherited(draft)).map(labelOf)).toEqual([]);
    const isAcceptedWithoutSite = ({ data, site }: Draft) =>
      compileAjv(removeSite(schemaList, site as string), id, "quick")(data);
    // A draft that breaks several assertions names one of them, but has no site.
    const isolating = invalid.filter(({ because }) => because === undefined);
    expect(isolating.filter((draft) => !isAcceptedWithoutSite(draft)).map(labelOf)).toEqual([]);
    expect(
      invalid.filter(({ site, because }) => (site === undefined) !== (because !== undefined)).map(labelOf),
    ).toEqual([]);
    expect(new Set(invalid.map(({ data }) => canonical(data))).size).toBe(invalid.length);
    expect(invalid.length).toBeGreaterThan(3);
  });

  it("has changes that lead from a valid parent to each invalid instance", async () => {
    const { valid, invalid } = await cachedPlan();
    for (const draft of invalid) {
      expect(valid).toContain(draft.parent);
      const changed = applyChanges((draft.parent as Draft).data, draft.change ?? []);
      expect(changed === undefined ? undefined : canonical(changed)).toBe(canonical(draft.data));
    }
  });

  it("is the same every time, in the same order", async () => {
    const [first, second] = [await cachedPlan(), await planOf(name)];
    const serialize = ({ valid, invalid, unbroken }: Plan) =>
      JSON.stringify([[...valid, ...invalid].map(({ place: _, parent, ...rest }) => [rest, parent?.data]), unbroken]);
    expect(serialize(second)).toBe(serialize(first));
  });

  it("covers each branch, both sides of a condition, each enum value, and each member and its absence", async () => {
    const { valid } = await cachedPlan();
    const model = await compileModel(schemaList, id);
    const parts = valid.flatMap(({ data }) => [...valuesIn(data)]);
    for (const { at, schema } of schemasInside(schemas[name] as JsonObject, "")) {
      const holds = (path: string) => (value: Json) => holdsAt(model, `${id}#${at}${path}`, value);
      for (const union of ["oneOf", "anyOf"])
        for (const branch of Object.keys((schema[union] ?? []) as Json[]))
          expect([union, branch, parts.some(holds(`/${union}/${branch}`))]).toEqual([union, branch, true]);
      if (schema.if !== undefined) expect([parts.some(holds("/if")), parts.every(holds("/if"))]).toEqual([true, false]);
      for (const member of (schema.enum ?? []) as Json[]) expect(parts).toContainEqual(member);
      const objects = parts.filter((part) => typeof part === "object" && part !== null && !Array.isArray(part));
      for (const [member, value] of Object.entries((schema.properties ?? {}) as JsonObject)) {
        if (at.endsWith("/if") || value === false) continue;
        const isPresent = objects.map((object) => Object.hasOwn(object as JsonObject, member));
        const isOptional = !((schema.required ?? []) as Json[]).includes(member);
        expect([at, member, isPresent.includes(true)]).toEqual([at, member, true]);
        if (isOptional) expect([at, member, isPresent.includes(false)]).toEqual([at, member, true]);
      }
    }
  });

  it("breaks every assertion, or states why it cannot", async () => {
    const { broken, unbroken } = await cachedPlan();
    expect(unbroken.filter(({ site, why }) => broken.has(site) || why === "")).toEqual([]);
    expect(unbroken.map(({ site }) => site.slice(id.length))).toEqual(unbreakable[name] ?? []);
  });
});

it("isolates every breakable assertion of forty conditionals if the work is limited, and proves the others unbreakable", async () => {
  const model = await compileModel([document(lifeCycle)], id);
  const effort = new Effort(2_000_000);
  const outcomes = [...findBreakableSites({ model: { ...model, effort }, samples: [], elsewhere: new Set() }).values()];
  expect(
    outcomes.filter((outcome) => outcome !== "broken" && !outcome.startsWith("no instance breaks it alone")),
  ).toEqual([]);
  expect([outcomes.filter((outcome) => outcome === "broken").length, outcomes.length]).toEqual([68, 93]);
});
