import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../schemas/index.ts";
import { compileModel } from "../compile/compile.ts";
import { lint } from "../lint/lint.ts";
import { coverageOf } from "../mutation/coverage.ts";
import { refuseFanOut } from "./fan-out.ts";

const $id = "https://fan-out.test/a";

function doublingSchema(levels: number, applyTwice: (ref: JsonObject) => JsonObject): JsonObject {
  const $defs: JsonObject = { [`a${levels}`]: { type: "integer" } };
  for (let level = 0; level < levels; level += 1) $defs[`a${level}`] = applyTwice({ $ref: `#/$defs/a${level + 1}` });
  return { $id, $ref: "#/$defs/a0", $defs };
}

describe("refuseFanOut", () => {
  it.each([
    ["allOf", (ref: JsonObject) => ({ allOf: [ref, ref] })],
    ["anyOf with not", (ref: JsonObject) => ({ anyOf: [ref, { not: ref }] })],
    ["if", (ref: JsonObject) => ({ if: ref, then: ref, else: ref })],
  ])("refuses thirty doublings by %s, and accepts five", async (_, applyTwice) => {
    const large = await compileModel([doublingSchema(30, applyTwice)], $id);
    expect(() => refuseFanOut(large)).toThrow(/more than any validator can finish/);
    refuseFanOut(await compileModel([doublingSchema(5, applyTwice)], $id));
  });

  it("keeps lint and coverage from processing such a schema", async () => {
    const schema = doublingSchema(30, (ref) => ({ allOf: [ref, ref] }));
    const model = await compileModel([schema], $id);
    expect(() => lint(model, [schema])).toThrow(/more than any validator can finish/);
    await expect(coverageOf([schema], $id, [])).rejects.toThrow(/more than any validator can finish/);
  });

  it("accepts schemas that double only with the instance, and recursion", async () => {
    refuseFanOut(await compileModel([doublingSchema(30, (ref) => ({ properties: { l: ref, r: ref } }))], $id));
    refuseFanOut(await compileModel([{ $id, items: { $ref: "#" }, additionalProperties: { $ref: "#" } }], $id));
  });
});
