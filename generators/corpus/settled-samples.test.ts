import { describe, expect, it } from "vitest";
import { compileModel } from "../compile/compile.ts";
import { document, id } from "../testing/schemas.fixture.ts";
import { settleSample } from "./settled-samples.ts";

const model = await compileModel(
  [
    document({
      properties: { price: { multipleOf: 0.01 }, prices: { items: { multipleOf: 0.01, maximum: 5 } }, name: true },
    }),
  ],
  id,
);

describe("a sample", () => {
  it("keeps numbers on which validators agree, and replaces others by the nearest such number", () => {
    expect(settleSample(model, { price: 19.99, prices: [1.15, 0.55], name: "a" })).toEqual({
      sample: { price: 19.98, prices: [1.1, 0.55], name: "a" },
      replaced: [
        { at: "/price", value: 19.99, replacement: 19.98, multipleOf: 0.01 },
        { at: "/prices/0", value: 1.15, replacement: 1.1, multipleOf: 0.01 },
      ],
    });
  });

  it("is unchanged if it is valid, or invalid for a different reason", () => {
    for (const sample of [{ price: 0.55 }, { price: 1.155 }, { price: 19.99, prices: [6] }])
      expect(settleSample(model, sample)).toEqual({ sample, replaced: [] });
  });
});
