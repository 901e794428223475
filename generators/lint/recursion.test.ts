import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { explainContradiction } from "./exclusion.ts";

const reasonFor = async (schema: JsonObject): Promise<string | undefined> =>
  explainContradiction(await compileModel([document(schema)], id));
const requiresNext = { type: "object", required: ["next"] };
const endless = /leads? back to a schema around it again and again, and no value is endless \(proven\)$/;

describe("a schema that no value fulfils", () => {
  it.each<[string, JsonObject, string]>([
    [
      "itself",
      { $ref: "#/$defs/n", $defs: { n: { ...requiresNext, properties: { next: { $ref: "#/$defs/n" } } } } },
      "#/$defs/n/properties/next/$ref leads",
    ],
    ["its root", { ...requiresNext, properties: { next: { $ref: "#" } } }, "#/properties/next/$ref leads"],
    ["items of itself", { type: "array", minItems: 1, items: { $ref: "#" } }, "#/items/$ref leads"],
    [
      "a schema that demands it",
      {
        $ref: "#/$defs/a",
        $defs: {
          a: { ...requiresNext, properties: { next: { $ref: "#/$defs/b" } } },
          b: { type: "array", contains: { $ref: "#/$defs/a" } },
        },
      },
      "/$ref leads",
    ],
    [
      "itself on every branch",
      {
        ...requiresNext,
        properties: { next: { anyOf: [{ $ref: "#" }, { type: "array", items: { $ref: "#" }, minItems: 1 }] } },
      },
      "#/properties/next/anyOf/0/$ref leads",
    ],
  ])("is reported as impossible by recursion if it requires %s", async (_, schema, names) => {
    const reason = await reasonFor(schema);
    expect(reason).toMatch(endless);
    expect(reason).toContain(names);
  });

  it.each<[string, JsonObject, RegExp]>([
    [
      "the target of a reference may end, but contradicts its siblings",
      {
        ...requiresNext,
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
    ["there is no recursion", { type: "integer", minimum: 2, maximum: 1 }, /exclude each other/],
  ])("is not reported if %s", async (_, schema, reason) => {
    expect(await reasonFor(schema)).toMatch(reason);
    expect(await reasonFor(schema)).not.toMatch(endless);
  });
});
