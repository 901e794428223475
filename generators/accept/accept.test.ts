import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { planVectors } from "../corpus/plan.ts";
import type { Draft } from "../drafts/draft.ts";
import { agreement } from "../testing/agreement.fixture.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { bounds } from "./bounds.ts";

async function validFor(schema: JsonObject, isKept: (draft: Draft) => boolean = () => true): Promise<Json[]> {
  const model = await compileModel([document(schema)], id);
  const { valid } = planVectors({ model, samples: [], elsewhere: new Set() }, [document(schema)]);
  return valid.filter(isKept).map(({ data }) => data);
}

/** Whether a draft is certainly published, because it alone has a feature. */
const isCertainlyPublished = ({ uniqueFeatures }: Draft): boolean => uniqueFeatures.length > 0;

const rows: [schema: JsonObject, wanted: Json[]][] = [
  [{ type: "integer", minimum: 3, maximum: 9 }, [3, 9]],
  [{ type: "integer", exclusiveMinimum: 3, exclusiveMaximum: 9 }, [4, 8]],
  [{ type: "string", minLength: 2 }, ["e\u0301"]],
  [{ type: "string", maxLength: 3 }, ["😀😀😀"]],
  [{ type: "string", pattern: "^rpl_[A-Za-z0-9]{1,64}$" }, ["rpl_a", `rpl_${"a".repeat(64)}`]],
  [{ enum: ["low", "high", null] }, ["low", "high", null]],
  [{ type: "number" }, [0, Number.MAX_SAFE_INTEGER]],
];

const branch = (kind: string) => ({
  type: "object",
  properties: { kind: { const: kind } },
  required: ["kind"],
  additionalProperties: false,
});
const oneOf = [branch("book"), branch("disc")];
const choices: [how: string, schema: JsonObject, mixed: boolean][] = [
  ["oneOf", { type: "array", items: { oneOf }, minItems: 1 }, true],
  ["anyOf", { type: "array", items: { anyOf: oneOf } }, true],
  ["a reference", { type: "array", items: { $ref: "#/$defs/item" }, minItems: 1, $defs: { item: { oneOf } } }, true],
  ["oneOf after another item", { type: "array", prefixItems: [true], items: { oneOf } }, true],
  ["oneOf of lists of one", { type: "array", items: { oneOf }, maxItems: 1 }, false],
];

it.each([
  ["minLength", "has 1 character, the minimum"],
  ["maxLength", "has 1 character, the maximum"],
  ["minItems", "has 1 item, the minimum"],
  ["maxProperties", "has 1 member, the maximum"],
])("describes an instance at the bound of %s by the bound", (kind, expected) => {
  const [atBound] = [...bounds.demand({ kind, limit: 1 } as never, {} as never, {} as never)];
  expect(atBound?.says).toBe(expected);
});

describe("messages that must be accepted", () => {
  it.each(choices)(
    "contain a list with items of different branches if items may differ: %s",
    async (_, schema, mixed) => {
      const kinds = (await validFor(schema, isCertainlyPublished)).map((list) =>
        JSON.stringify(list).match(/"(book|disc)"/g),
      );
      expect(kinds.some((kind) => new Set(kind).size === 2)).toBe(mixed);
    },
  );

  it("contain instances that are nested more deeply than a sample, along each path of recursion", async () => {
    const note = {
      type: "object",
      required: ["text"],
      properties: {
        text: { type: "string" },
        next: { $ref: "#/$defs/note" },
        replies: { type: "array", maxItems: 3, items: { allOf: [{ $ref: "#/$defs/note" }] } },
      },
      additionalProperties: false,
    };
    const valid = await validFor(
      { properties: { note: { $ref: "#/$defs/note" } }, $defs: { note } },
      isCertainlyPublished,
    );
    for (const name of ["next", "replies"]) {
      const levels = (value: Json): number =>
        typeof value !== "object" || value === null
          ? 0
          : Math.max(0, ...Object.entries(value).map(([key, each]) => Number(key === name) + levels(each)));
      expect(Math.max(...valid.map(levels))).toBe(6);
    }
  });

  it.each(rows)("for %j include %j", async (schema, expected) => {
    const valid = await validFor(schema);
    expect(valid).toEqual(expect.arrayContaining(expected));
    const accepts = await agreement(document(schema));
    expect(valid.filter((data) => accepts(data) !== true)).toEqual([]);
  });

  it("contain strings with the maximum number of characters but more UTF-16 units and bytes", async () => {
    const valid = (await validFor({ type: "string", maxLength: 3 })) as string[];
    const longTexts = valid.filter(
      (text) => [...text].length === 3 && text.length > 3 && Buffer.byteLength(text) > text.length,
    );
    expect(longTexts).not.toEqual([]);
  });
});
