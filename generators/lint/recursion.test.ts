import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { explainContradiction } from "./exclusion.ts";

const why = async (schema: JsonObject): Promise<string | undefined> =>
  explainContradiction(await compileModel([document(schema)], id));
const next = { type: "object", required: ["next"] };
const endless = /leads? back to a schema around it again and again, and no value is endless \(proven\)$/;

describe("a schema that no value fulfils", () => {
  it.each<[string, JsonObject, string]>([
    [
      "itself",
      { $ref: "#/$defs/n", $defs: { n: { ...next, properties: { next: { $ref: "#/$defs/n" } } } } },
      "#/$defs/n/properties/next/$ref leads",
    ],
    ["its root", { ...next, properties: { next: { $ref: "#" } } }, "#/properties/next/$ref leads"],
    ["items of itself", { type: "array", minItems: 1, items: { $ref: "#" } }, "#/items/$ref leads"],
    [
      "a schema that demands it",
      {
        $ref: "#/$defs/a",
        $defs: {
          a: { ...next, properties: { next: { $ref: "#/$defs/b" } } },
          b: { type: "array", contains: { $ref: "#/$defs/a" } },
        },
      },
      "/$ref leads",
    ],
    [
      "itself on every branch",
      {
        ...next,
        properties: { next: { anyOf: [{ $ref: "#" }, { type: "array", items: { $ref: "#" }, minItems: 1 }] } },
      },
      "#/properties/next/anyOf/0/$ref leads",
    ],
  ])("is reported as impossible by recursion if it requires %s", async (_, schema, names) => {
    const reason = await why(schema);
    expect(reason).toMatch(endless);
    expect(reason).toContain(names);
  });

  it.each<[string, JsonObject, RegExp]>([
    [
      "a schema that may end contradicts what stands beside it",
      {
        ...next,
        properties: { next: { $ref: "#/$defs/s", type: "integer" } },
        $defs: { s: { type: "string", properties: { again: { $ref: "#/$defs/s" } } } },
      },
      /exclude each other/,
    ],
    [
      "the recursion may end",
      { properties: { next: { $ref: "#" } }, type: "string", minimum: 1, enum: [1] },
      /exclude/,
    ],
    ["there is none", { type: "integer", minimum: 2, maximum: 1 }, /exclude each other/],
  ])("is not reported if %s", async (_, schema, reason) => {
    expect(await why(schema)).toMatch(reason);
    expect(await why(schema)).not.toMatch(endless);
  });
});
