import { expect, it } from "vitest";
import type { Document, Json, RuledProtocol } from "../../schemas/index.ts";
import { disputeReason, formatCheckUnderReadings, liftingReadingsFor } from "./lifted-verdicts.ts";

const schema = {
  $id: "https://example.org/note",
  type: "object",
  required: ["id", "to"],
  properties: { id: { type: "string" }, to: { type: "string" } },
  additionalProperties: false,
};
const protocol = {
  rules: [{ id: "N-1" }, { id: "N-2" }],
  families: [
    {
      checkers: [
        {
          rule: "N-2",
          documents: ["note"],
          *check(instance: { id?: Json }) {
            if (instance.id === "") yield { at: "/id", why: "is empty" };
          },
        },
      ],
    },
  ],
  schemas: [schema, { $id: "https://example.org/other", type: "string" }],
  profile: {
    contradictions: [
      {
        about: "whether a note has a recipient",
        clause: "2, 7",
        rules: ["N-1"],
        readings: [
          { name: "named", says: "it has one" },
          { name: "nameless", says: "it may have none", lifts: [`${schema.$id}#/required/1`] },
        ],
      },
    ],
  },
} as unknown as RuledProtocol;
const readingsOf = async (document: string, instance: Json, from?: Json, rule?: string): Promise<[string, string][]> =>
  (await liftingReadingsFor(protocol, { name: "note", schema: document } as Document))(instance, from, rule).map(
    ({ verdict, by: readingsAt }) => [verdict, readingsAt.join()],
  );

it("returns the readings that accept an instance which only a lifted assertion refuses, and those that refuse it", async () => {
  expect(await readingsOf(schema.$id, { id: "a" })).toEqual([
    ["invalid", "named"],
    ["valid", "nameless"],
  ]);
});

it("lifts a part of an assertion, and the rest of it still applies", async () => {
  const share = {
    $id: "https://example.org/share",
    type: "object",
    properties: { of: { type: "number", maximum: 1 } },
  };
  const lifts = [
    { at: `${share.$id}#/properties/of/type`, to: ["number", "null"] },
    { at: `${share.$id}#/properties/of/maximum`, to: 100 },
  ];
  const readings = [
    { name: "fractions", says: "a share is a fraction" },
    { name: "nothing", says: "a share is a fraction, a percentage or null", lifts },
  ];
  const shareProtocol = {
    rules: [],
    families: [],
    schemas: [share],
    profile: { contradictions: [{ about: "shares", clause: "2, 7", rules: [], readings }] },
  } as unknown as RuledProtocol;
  const judge = await liftingReadingsFor(shareProtocol, { name: "share", schema: share.$id } as Document);
  const verdictsOn = (of: Json): string[] => judge({ of }).map(({ verdict, by }) => `${verdict} ${by}`);
  expect([null, 50].map(verdictsOn)).toEqual([
    ["invalid fractions", "valid nothing"],
    ["invalid fractions", "valid nothing"],
  ]);
  expect([true, "0.5", 101].map(verdictsOn)).toEqual([[], [], []]);
  expect(disputeReason(shareProtocol, `${share.$id}#/properties/of/type`)).toContain(
    "a reading of the specification lifts it",
  );
});

it("returns an empty list if another assertion refuses the instance, or if the document lacks the assertion", async () => {
  expect(await readingsOf(schema.$id, { to: "a" })).toEqual([]);
  expect(await readingsOf(schema.$id, { id: 1 })).toEqual([]);
  expect(await readingsOf("https://example.org/other", 1)).toEqual([]);
});

it("returns an empty list if another rule refuses the instance, unless the rule also refuses its parent", async () => {
  expect(await readingsOf(schema.$id, { id: "" }, { id: "a", to: "b" }, "N-1")).toEqual([]);
  expect(await readingsOf(schema.$id, { id: "" }, { id: "a", to: "b" }, "N-2")).toHaveLength(2);
  expect(await readingsOf(schema.$id, { id: "" }, { id: "", to: "b" }, "N-1")).toHaveLength(2);
});

it("throws if a reading lifts an assertion that does not exist", async () => {
  const { schemas } = protocol;
  const readings = [
    { name: "a", says: "a" },
    { name: "b", says: "b", lifts: [`${schema.$id}#/required/9`] },
  ];
  const profile = { contradictions: [{ about: "x", clause: "1", rules: ["N-1"], readings }] };
  const brokenProtocol = { ...protocol, schemas, profile } as unknown as RuledProtocol;
  await expect(liftingReadingsFor(brokenProtocol, { schema: schema.$id } as Document)).rejects.toThrow(
    "has nothing at one of /required/9",
  );
});

it("reports that readings, not validators, disagree on an assertion that a reading lifts", () => {
  const protocol = {
    profile: { contradictions: [{ readings: [{ lifts: ["https://x.example/seat#/properties/seat"] }] }] },
    rules: [{ id: "X-OPEN-001", verdict: "either", sites: ["https://x.example/seat#/properties/row"] }],
  } as unknown as Parameters<typeof disputeReason>[0];
  expect(disputeReason(protocol, "https://x.example/seat#/properties/seat/maxLength")).toMatch(/reading of the spec/);
  expect(disputeReason(protocol, "https://x.example/seat#/properties/row/type")).toMatch(/X-OPEN-001 leaves it open/);
  expect(disputeReason(protocol, "https://x.example/seat#/properties/seats")).toMatch(/validators do not agree/);
});

it("recognises an instance in which only formats are wrong under a reading, if formats are annotations", () => {
  const $id = "https://example.org/instant";
  const pattern = { $id, type: "string", format: "date-time", pattern: "Z$" };
  const contradictions = [{ readings: [{ name: "utc" }, { name: "any-offset", lifts: [`${$id}#/pattern`] }] }];
  const failsOnlyFormats = (formats: string, instance: Json): boolean =>
    formatCheckUnderReadings(
      { foreign: true, schemas: [pattern], profile: { formats, contradictions } } as never,
      { schema: $id } as Document,
    )(instance);
  expect(failsOnlyFormats("annotate", "")).toBe(true);
  expect(failsOnlyFormats("assert", "")).toBe(false);
  expect(failsOnlyFormats("annotate", 7)).toBe(false);
  // The reading accepts it completely: no format is wrong.
  expect(failsOnlyFormats("annotate", "2026-01-15T09:30:00+02:00")).toBe(false);
  expect(failsOnlyFormats("annotate", "noon Z")).toBe(false);
});

it("treats formats outside JSON Schema as annotations under each reading", () => {
  const $id = "https://example.org/page";
  const limit = { $id, type: "integer", format: "int32", maximum: 100 };
  const contradictions = [{ readings: [{ name: "few" }, { name: "many", lifts: [`${$id}#/maximum`] }] }];
  const protocol = { foreign: true, schemas: [limit], profile: { formats: "annotate", contradictions } } as never;
  expect(formatCheckUnderReadings(protocol, { schema: $id } as Document)(101)).toBe(false);
});

it("returns a reading that treats null as absent if the instance is valid without its nulls", async () => {
  const readings = [
    { name: "values", says: "null is a value" },
    { name: "absence", says: "null is absence", nulls: "absent" as const },
  ];
  const contradictions = [{ about: "what null is", clause: "3", rules: ["N-1"], readings }];
  const schemaWithList = { ...schema, properties: { ...schema.properties, more: { type: "array" } } };
  const nullProtocol = {
    ...protocol,
    schemas: [schemaWithList],
    profile: { ...protocol.profile, contradictions },
  } as RuledProtocol;
  const findReadings = await liftingReadingsFor(nullProtocol, { name: "note", schema: schema.$id } as Document);
  const verdictsOn = (instance: Json): string[] => findReadings(instance).map(({ verdict, by }) => `${verdict} ${by}`);
  expect(verdictsOn({ id: "a", to: "b", more: null })).toEqual(["invalid values", "valid absence"]);
  expect(verdictsOn({ id: "a", to: null })).toEqual([]);
  expect(verdictsOn({ id: "a", to: "b", more: 1 })).toEqual([]);
});
