import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { asDoubles, boundInDoubles } from "./beyond-doubles.ts";
import { folderWith } from "./folder.fixture.ts";
import { loadSchemas } from "./load.ts";

describe("a bound that no double is", () => {
  it.each<[string, string, number | undefined]>([
    ["maximum", "18446744073709551615", 18446744073709550000],
    ["exclusiveMaximum", "18446744073709551615", 18446744073709552000],
    ["minimum", "-9223372036854775809", -9223372036854775000],
    ["maximum", "9223372036854775806", 9223372036854775000],
    ["minimum", "9007199254740993", 9007199254740994],
    ["exclusiveMinimum", "9007199254740993", 9007199254740992],
    ["maximum", "340282366920938463463374607431768211455", 3.4028236692093843e38],
    ["maximum", "0.10000000000000000001", 0.1],
    ["maximum", "0.1", undefined],
    ["maximum", "9007199254740991", undefined],
    ["maximum", "1e400", undefined],
  ])("is read as the nearest on its side: %s %s", (keyword, text, bound) => {
    expect(boundInDoubles(keyword, Number(text), text)).toBe(bound);
  });

  it("is named with its place, and has the verdicts of the text for all numbers that doubles are", async () => {
    const text = '{"type":"integer",\n"maximum":18446744073709551615,"minimum":-9223372036854775807}';
    const { schemas, notes } = await loadSchemas({
      schema: join(folderWith({ "a.json": text }), "a.json"),
      lenient: true,
    });
    const { maximum, minimum } = schemas[0] as { maximum: number; minimum: number };
    expect(BigInt(String(maximum))).toBeLessThanOrEqual(18446744073709551615n);
    expect(BigInt(String(minimum))).toBeGreaterThanOrEqual(-9223372036854775807n);
    expect(schemas[0]?.[asDoubles]).toEqual({ maximum: 2 ** 64, minimum: -(2 ** 63) });
    expect(notes).toEqual([
      expect.stringMatching(/a\.json:2:11 \(#\/maximum\): 18446744073709551615 is a number that no double is/),
      expect.stringMatching(/\(#\/minimum\): -9223372036854775807 is a number that no double is/),
    ]);
  });
});
