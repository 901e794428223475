import { expect, it } from "vitest";
import type { Json, JsonObject } from "../../../schemas/index.ts";
import { describeUnsampled } from "./unsampled-members.ts";

const stringSchema = { type: "string" };
const unsampledIn = (schema: JsonObject, ...samples: Json[]): string | undefined =>
  describeUnsampled({
    schemas: [{ $id: "https://example.org/a", ...schema }],
    profile: { documents: [{ name: "a", schema: "https://example.org/a", samples }] },
  } as unknown as Parameters<typeof describeUnsampled>[0]);

it("names the members with invented texts, beginning with the most meaningful names", () => {
  const properties = {
    note: { type: ["string", "null"], maxLength: 9 },
    specVersion: stringSchema,
    title: stringSchema,
    id: stringSchema,
    n: { type: "integer" },
  };
  expect(unsampledIn({ properties })).toMatch(
    /^4 members have no sample: specVersion, id, note, title, .*`samples` of a document in profile\.json.*--sample/,
  );
  expect(unsampledIn({ $defs: { inner: { properties: { uri: { ...stringSchema, pattern: "^a" } } } } })).toMatch(
    /^1 member has .*: uri, /,
  );
});

it("names at most five members, and counts the others", () => {
  const names = Array.from({ length: 8 }, (_, index) => `part${index}`);
  const properties = Object.fromEntries(names.map((name) => [name, stringSchema]));
  expect(unsampledIn({ properties })).toMatch(
    /^8 members have no sample: part0, part1, part2, part3, part4 and 3 more, /,
  );
});

it("leaves out members with a value in the schema or in a sample", () => {
  const describedMembers = {
    a: { ...stringSchema, examples: ["x"] },
    b: { ...stringSchema, format: "uri" },
    c: { enum: ["c"] },
    d: { ...stringSchema, default: "d" },
  };
  expect(unsampledIn({ properties: describedMembers })).toBeUndefined();
  expect(unsampledIn({ properties: { id: stringSchema } }, { deep: [{ id: "order-17" }] })).toBeUndefined();
  expect(unsampledIn({ examples: [{ id: "order-17" }], properties: { id: stringSchema } })).toBeUndefined();
  expect(unsampledIn({ default: { properties: { id: stringSchema } } })).toBeUndefined();
});
