import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../schemas/index.ts";
import { applyChanges } from "../changes/patch.ts";
import { removeSite } from "../mutation/removed-site.ts";
import { compileAjv } from "../oracle/ajv.ts";
import { injectFamily } from "../testing/injected.fixture.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import type { Family } from "./fault.ts";
import { families } from "./index.ts";

const enumMisses = ["unknown", "other-case", "capitalised", "leading-space", "trailing-space", "line-feed-at-the-end"];
const moreMisses = ["one-character-short", "one-character-long", "look-alike-letter", "empty", "null", "in-a-list"];
const unknownMembers = [
  "null",
  "named-constructor",
  "named-__proto__",
  "named-toString",
  "named-x-unexpected",
  "named-$unexpected",
  "named-nothing",
];
const misspellings = ["other-case", "trailing-space", "plural", "other-beginning", "cut-short"];
const faultsOf = (fault: string, details: string[]): string[] => details.map((detail) => `${fault}/${detail}`);

/** Faults that can be injected into a valid instance, at a schema's first place and at the later ones. */
type Row = [family: string, schema: JsonObject, parent: Json, first: string[], later: string[]];

const rows: Row[] = [
  [
    "missing",
    { required: ["a", "b"] },
    { a: 1, b: 2, c: 3 },
    ["missing", "missing/in-other-case", "missing"],
    ["missing", "missing"],
  ],
  ["missing", { required: ["a"] }, { a: 1, A: 2 }, ["missing"], ["missing"]],
  ["missing", { required: ["a"] }, "no object", [], []],
  ["missing", { dependentRequired: { a: ["b"], x: ["c"] } }, { a: 1, b: 2 }, ["missing-with/a"], ["missing-with/a"]],
  [
    "enum",
    { enum: ["low", "High"] },
    "low",
    faultsOf("not-in-enum", [...enumMisses, ...moreMisses, "other-case-of-another-1"]),
    ["not-in-enum/unknown"],
  ],
  [
    "enum",
    { enum: ["low", false] },
    "low",
    faultsOf("not-in-enum", [...enumMisses, ...moreMisses, "opposite-of-another"]),
    ["not-in-enum/unknown"],
  ],
  [
    "enum",
    { enum: ["low", "LOW", null] },
    "low",
    faultsOf(
      "not-in-enum",
      [...enumMisses, ...moreMisses].filter((miss) => miss !== "other-case" && miss !== "null"),
    ),
    ["not-in-enum/unknown"],
  ],
  [
    "enum",
    { const: true },
    true,
    faultsOf("not-the-constant", ["opposite", "as-text", "as-number", "null"]),
    ["not-the-constant/opposite"],
  ],
  [
    "enum",
    { const: 3 },
    3,
    faultsOf("not-the-constant", ["one-more", "one-less", "as-text", "a-half-more", "null"]),
    ["not-the-constant/one-more"],
  ],
  [
    "enum",
    { const: { a: 1 } },
    { a: 1 },
    faultsOf("not-the-constant", [
      "null",
      "text",
      "empty-object",
      "empty-array",
      "as-text",
      "one-member-more",
      "in-a-list",
      "boolean-for-a-number-in-it",
      "text-for-a-number-in-it",
    ]),
    ["not-the-constant/null"],
  ],
  [
    "pattern",
    { pattern: "^a" },
    "ab",
    faultsOf("pattern-miss", [
      "prefix-missing",
      "leading-space",
      "empty",
      "other-case",
      "look-alike",
      "prefix-1-wrong",
      "space-first",
      "hyphen-first",
      "underscore-first",
      "point-first",
      "word-before",
    ]),
    faultsOf("pattern-miss", ["prefix-missing", "leading-space"]),
  ],
  [
    "format",
    { format: "json-pointer" },
    "/a",
    faultsOf("format-miss", ["no-slash", "bad-escape", "bare-tilde", "fragment"]),
    ["format-miss/no-slash"],
  ],
  ["format", { format: "colour" }, "red", [], []],
  ["length", { minLength: 3 }, "abc", ["too-short", "too-short/astral"], ["too-short"]],
  ["length", { minLength: 1 }, "abc", ["too-short"], ["too-short"]],
  ["length", { minLength: 0 }, "", [], []],
  ["length", { maxLength: 3, pattern: "^x+$" }, "x", ["too-long"], ["too-long"]],
  ["length", { maxLength: 3 }, "x", ["too-long", ...faultsOf("too-long", ["astral", "combining"])], ["too-long"]],
  ["length", { maxLength: 0 }, "", ["too-long", "too-long/astral"], ["too-long"]],
  ["length", { maxLength: 20_000 }, "x", [], []],
  [
    "range",
    { minimum: 5 },
    5,
    ["below-minimum", ...faultsOf("below-minimum", ["by-a-half", "far", "opposite-sign", "by-very-little"])],
    ["below-minimum"],
  ],
  ["range", { minimum: 0, type: "integer" }, 0, ["below-minimum", "below-minimum/far"], ["below-minimum"]],
  [
    "range",
    { maximum: 5 },
    5,
    ["above-maximum", ...faultsOf("above-maximum", ["by-a-half", "far", "by-very-little"])],
    ["above-maximum"],
  ],
  [
    "range",
    { exclusiveMinimum: 5 },
    6,
    ["at-exclusive-minimum", "below-minimum", "below-minimum/far"],
    ["at-exclusive-minimum"],
  ],
  [
    "range",
    { exclusiveMaximum: 5 },
    4,
    ["at-exclusive-maximum", "above-maximum", "above-maximum/far"],
    ["at-exclusive-maximum"],
  ],
  [
    "range",
    { multipleOf: 5 },
    10,
    ["not-a-multiple", ...faultsOf("not-a-multiple", ["one-more", "one-less", "a-bit-more", "very-little-more"])],
    ["not-a-multiple"],
  ],
  [
    "range",
    { multipleOf: 0.1 },
    0.2,
    ["not-a-multiple", ...faultsOf("not-a-multiple", ["a-bit-more", "very-little-more"])],
    ["not-a-multiple"],
  ],
  [
    "range",
    { multipleOf: 0.01 },
    1,
    ["not-a-multiple", ...faultsOf("not-a-multiple", ["a-bit-more", "very-little-more"])],
    ["not-a-multiple"],
  ],
  ["count", { minItems: 2 }, [1, 2, 3], ["too-few-items"], ["too-few-items"]],
  [
    "count",
    { maxItems: 2, items: { type: "integer" }, uniqueItems: true },
    [1],
    ["too-many-items"],
    ["too-many-items"],
  ],
  ["count", { maxItems: 300 }, [], [], []],
  ["count", { minProperties: 2 }, { a: 1, b: 2 }, ["too-few-members"], ["too-few-members"]],
  ["count", { maxProperties: 1 }, { a: 1 }, ["too-many-members"], ["too-many-members"]],
  ["unique", { uniqueItems: true }, [1, 2], ["repeated-item", "repeated-item/objects"], ["repeated-item"]],
  ["unique", { uniqueItems: true }, [], [], []],
  [
    "closed",
    { properties: { name: true }, additionalProperties: false },
    { name: 1 },
    ["unknown-member", ...faultsOf("unknown-member", unknownMembers), ...faultsOf("misspelt-member", misspellings)],
    ["unknown-member"],
  ],
  [
    "closed",
    { allOf: [{ properties: { name: true } }], unevaluatedProperties: false },
    { name: 1 },
    ["unknown-member", ...faultsOf("unknown-member", unknownMembers), ...faultsOf("misspelt-member", misspellings)],
    ["unknown-member"],
  ],
  [
    "closed",
    {
      oneOf: [
        { properties: { a: true }, additionalProperties: false },
        { properties: { b: true }, required: ["b", "c"] },
      ],
    },
    { a: 1 },
    [
      "unknown-member",
      ...faultsOf("unknown-member", unknownMembers),
      ...faultsOf("misspelt-member", misspellings.slice(0, -1)),
      "foreign-field/b",
    ],
    ["unknown-member"],
  ],
  ["name", { propertyNames: { pattern: "^[a-z]+$" } }, { a: 1 }, ["bad-name"], ["bad-name"]],
  [
    "forbidden",
    { not: { required: ["a"] } },
    { b: 1 },
    ["foreign-field", ...faultsOf("foreign-field", ["null", "text"])],
    ["foreign-field", ...faultsOf("foreign-field", ["null", "text"])],
  ],
  ["forbidden", { not: { type: "string" } }, 1, ["forbidden-value"], ["forbidden-value"]],
  ["branch", { anyOf: [{ type: "string" }, { type: "null" }] }, "a", ["no-branch"], ["no-branch"]],
  [
    "branch",
    { type: "object", oneOf: [{ required: ["a"] }, { required: ["b"] }] },
    { a: 1 },
    ["no-branch", "two-branches/0-and-1"],
    ["no-branch"],
  ],
  [
    "other",
    { contains: { const: 1 }, minContains: 2, maxContains: 3 },
    [1, 1],
    ["contains-too-few", "contains-too-many"],
    ["contains-too-few", "contains-too-many"],
  ],
  ["other", { prefixItems: [true], items: false }, [1], ["unexpected-item"], ["unexpected-item"]],
  ["other", { prefixItems: [true], unevaluatedItems: false }, [1], ["unexpected-item"], ["unexpected-item"]],
  ["other", { items: { type: "null" } }, [null], [], []],
];

const familyNamed = (name: string): Family => families.find((family) => family.name === name) as Family;
const namesOf = (drafts: readonly { name: string[] }[]): string[] => drafts.map(({ name }) => name.slice(1).join("/"));

describe("faults", () => {
  it.each(rows)("break only the targeted assertion: family %s in %j", async (name, schema, parent, first, later) => {
    const drafts = await injectFamily(familyNamed(name), schema, parent);
    expect(namesOf(drafts)).toEqual(first);
    expect(namesOf(await injectFamily(familyNamed(name), schema, parent, false))).toEqual(later);
    const accepts = compileAjv([document(schema)], id, "quick");
    for (const { data, site, change } of drafts) {
      expect(applyChanges(parent, change ?? [])).toEqual(data);
      expect(accepts(data)).toBe(false);
      expect(compileAjv(removeSite([document(schema)], site as string), id, "quick")(data)).toBe(true);
    }
  });

  it.each<[types: string | string[], value: Json, kinds: string[]]>([
    ["integer", 300, ["number-as-text", "boolean-for-number", "half"]],
    ["number", 1.5, ["number-as-text", "boolean-for-number"]],
    ["boolean", true, ["boolean-as-text", "number-for-boolean", "zero-for-boolean"]],
    ["string", "a", ["text-in-a-list"]],
    ["array", [1], ["bare-item", "array-like-object"]],
    ["object", { a: 1 }, ["object-in-a-list", "object-as-text"]],
    ["null", null, []],
    [["string", "null"], "a", ["text-in-a-list"]],
  ])(
    "of family type for %j have other types only, and include null and values that lax readers convert",
    async (types, value, kinds) => {
      const drafts = await injectFamily(familyNamed("type"), { type: types }, value);
      const details = drafts.map(({ name }) => name[2]);
      const accepts = compileAjv([document({ type: types })], id, "quick");
      expect(details).toEqual(expect.arrayContaining(kinds));
      expect(details.includes("null")).toBe(![types].flat().includes("null"));
      expect(drafts.filter(({ data }) => accepts(data))).toEqual([]);
      expect(await injectFamily(familyNamed("type"), { type: types }, value, false)).toHaveLength(1);
    },
  );

  it.each<[family: string, schema: JsonObject, parent: Json, says: string]>([
    ["length", { minLength: 2 }, "abc", "has 1 character, under the minimum of 2"],
    ["length", { maxLength: 1 }, "a", "has 2 characters, over the maximum of 1"],
    ["count", { minItems: 2 }, [1, 2], "has 1 item, under the minimum of 2"],
    ["count", { minProperties: 2 }, { a: 1, b: 2 }, "has 1 member, under the minimum of 2"],
  ])("describe a count of one in the singular: %s of %j", async (name, schema, parent, says) => {
    const drafts = await injectFamily(familyNamed(name), schema, parent);
    expect(drafts[0]?.says).toBe(says);
  });

  it("have a row in this table for every family", () => {
    expect(new Set([...rows.map(([name]) => name), "type"])).toEqual(new Set(families.map(({ name }) => name)));
  });

  it("keep the value of a member when its name changes case", async () => {
    const dataOf = async (family: string, schema: JsonObject) =>
      (await injectFamily(familyNamed(family), schema, { a: 1 })).find(({ name }) => name[2]?.endsWith("other-case"))
        ?.data;
    expect(await dataOf("closed", { properties: { a: true }, additionalProperties: false })).toEqual({ a: 1, A: 1 });
    expect(await dataOf("missing", { required: ["a"] })).toEqual({ A: 1 });
  });

  it("add a member named __proto__ to a closed object", async () => {
    const drafts = await injectFamily(familyNamed("closed"), { additionalProperties: false }, {});
    expect(namesOf(drafts)).toContain("unknown-member/named-__proto__");
  });

  it("ignore the inherited members of an object", async () => {
    const schema = { additionalProperties: false, properties: { constructor: {} } };
    const drafts = await injectFamily(familyNamed("closed"), schema, {});
    const misspelt = drafts.find(({ name }) => name.includes("other-case"));
    expect(misspelt?.data).toEqual({ CONSTRUCTOR: "anything" });
    expect(misspelt?.change).toEqual([{ op: "add", path: "/CONSTRUCTOR", value: "anything" }]);
    // An inherited member cannot be removed.
    const missing = await injectFamily(familyNamed("missing"), { required: ["toString"] }, {});
    expect(namesOf(missing)).not.toContain("missing/in-other-case");
  });

  it("exceed maxItems with copies of existing items, which may satisfy rules that the schema does not have", async () => {
    const [draft] = await injectFamily(familyNamed("count"), { maxItems: 2, items: { type: "object" } }, [
      { text: "a" },
    ]);
    expect(draft?.data).toEqual([{ text: "a" }, { text: "a" }, { text: "a" }]);
  });

  it.each<[why: string, items: JsonObject, parent: Json[], wrong: (items: Json[]) => boolean, data: Json[]]>([
    ["that a sample has", {}, [], (items) => items.includes(""), ["a9", "b9", "a9"]],
    ["that differ", {}, ["a9"], (items) => new Set(items).size < items.length, ["a9", "b0", "b1"]],
    [
      "that differ in one member",
      { required: ["id"] },
      [{ n: 1, id: "z" }],
      (items) => new Set(items.map((item) => JSON.stringify(item))).size < items.length,
      [
        { n: 1, id: "z" },
        { n: 1, id: "a" },
        { n: 1, id: "b" },
      ],
    ],
  ])("exceed maxItems with items %s, if a rule requires it", async (_, items, parent, breaksRule, data) => {
    const breaches = (list: Json): string[] => (breaksRule(list as Json[]) ? ["X-1"] : []);
    const schema = { maxItems: 2, items: { type: ["string", "object"], ...items } };
    const options = { samples: [["a9", "b9"]], breaches };
    const [draft] = await injectFamily(familyNamed("count"), schema, parent, true, options);
    expect(draft?.data).toEqual(data);
  });

  it("repeat an item with its members in a different order", async () => {
    const drafts = await injectFamily(familyNamed("unique"), { uniqueItems: true }, [{ a: 1, b: 2 }]);
    expect(namesOf(drafts)).toEqual(["repeated-item", "repeated-item/other-order"]);
  });
});
