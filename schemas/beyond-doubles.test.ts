import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { asDoubles, boundInDoubles } from "./beyond-doubles.ts";
import { folderWith } from "./folder.fixture.ts";
import type { JsonObject } from "./json.ts";
import { loadSchemas } from "./load.ts";

describe("a bound that no double equals", () => {
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
  ])("is read as the nearest double on its side: %s %s", (keyword, text, bound) => {
    expect(boundInDoubles(keyword, Number(text), text)).toBe(bound);
  });

  it("is noted with its place, and gives every double the same verdict as the exact number", async () => {
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

  it.each<[string, string, JsonObject, JsonObject]>([
    [
      "as a separate keyword",
      '{"exclusiveMaximum":9007199254740993,"exclusiveMinimum":0.30000000000000004441}',
      { exclusiveMaximum: 9007199254740994, exclusiveMinimum: 0.30000000000000004 },
      { exclusiveMaximum: 9007199254740992, exclusiveMinimum: 0.30000000000000004 },
    ],
    [
      "by a boolean beside it",
      '{"$schema":"http://json-schema.org/draft-04/schema#","maximum":9007199254740993,"exclusiveMaximum":true}',
      { maximum: 9007199254740994, exclusiveMaximum: true },
      { maximum: 9007199254740992 },
    ],
  ])("gives the same verdicts as the exact number if exclusiveness is given %s", async (_, text, bounds, doubles) => {
    const schema = join(folderWith({ "a.json": text }), "a.json");
    const { schemas, notes } = await loadSchemas({ schema, lenient: true });
    expect(schemas[0]).toMatchObject(bounds);
    expect(schemas[0]?.[asDoubles]).toEqual(doubles);
    expect(notes.filter((note) => note.includes("that no double is"))).toHaveLength(Object.keys(doubles).length);
  });

  it("is left out only if it exceeds all doubles", async () => {
    const text =
      '{"type":"number",\n"maximum":9.999e+6144,"minimum":-1e400,"multipleOf":0.5,"properties":{"a":{"maxLength":1e999,"minLength":1}}}';
    const schema = join(folderWith({ "a.json": text }), "a.json");
    const { schemas, misread } = await loadSchemas({ schema, lenient: true });
    expect(schemas[0]).toMatchObject({ type: "number", multipleOf: 0.5, properties: { a: { minLength: 1 } } });
    expect(JSON.stringify(schemas[0])).not.toMatch(/null|maximum|minimum|maxLength/);
    expect(misread.map(({ note }) => note)).toEqual([
      expect.stringMatching(/a\.json:2:\d+ \(#\/maximum\): the number is beyond all doubles.* is left out$/),
      expect.stringMatching(/\(#\/minimum\): the number is beyond/),
      expect.stringMatching(/\(#\/properties\/a\/maxLength\)/),
    ]);
  });

  it("is left out of a list if both neighbouring doubles are already in it", async () => {
    const text = '{"enum":[9007199254740992,9007199254740993,9007199254740994],"not":{"const":9007199254740993}}';
    const schema = join(folderWith({ "a.json": text }), "a.json");
    const { schemas, notes } = await loadSchemas({ schema, lenient: true });
    expect(schemas[0]).toMatchObject({ enum: [9007199254740992, 9007199254740994], not: { enum: [] } });
    expect(schemas[0]?.not).not.toHaveProperty("const");
    expect(notes).toContainEqual(expect.stringMatching(/\(#\/enum\): 9007199254740993 is .* none beside it is free/));
  });
});
