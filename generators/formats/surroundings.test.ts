import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatHolds } from "./check.ts";
import { enclosingLanguages, hasNoTextMatching } from "./surroundings.ts";
import { formats } from "./table.ts";

describe.each(Object.entries(enclosingLanguages))("the language around %s", (format, source) => {
  const pattern = new RegExp(source as string, "u");
  const { valid = [], invalid = [] } = formats[format] ?? {};
  const texts = [...valid, ...invalid].map(({ value }) => value);

  it("contains every string that all implementations accept", () => {
    const accepted = texts.filter((text) => formatHolds(format, text) === true);
    expect(accepted.length).toBeGreaterThan(0);
    expect(accepted.filter((text) => !pattern.test(text))).toEqual([]);
  });

  it("contains every accepted string that differs from a boundary value in one character", () => {
    const character = fc.oneof(
      fc.constantFrom(..."0129:-./+ zZtTaAfF@%?#[]\n"),
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    );
    const edited = fc
      .tuple(fc.constantFrom(...texts), fc.nat(40), fc.nat(1), character)
      .map(([text, at, removedCount, inserted]) => text.slice(0, at) + inserted + text.slice(at + removedCount));
    fc.assert(
      fc.property(edited, (text) => formatHolds(format, text) !== true || pattern.test(text)),
      { seed: 42, numRuns: 3000 },
    );
  });
});

describe("hasNoTextMatching", () => {
  it("is certain if a pattern excludes every string of the format", () => {
    expect(hasNoTextMatching(["uri"], ["^wss[^]//.+"], ["^wss://.+"])).toBe(true);
    expect(hasNoTextMatching(["uri"], ["^wss?://"], ["^wss://"])).toBe(false);
    expect(hasNoTextMatching(["colour"], ["^a$"], ["^a$"])).toBe(false);
    // The date pattern of Zod 4, and one of its hundreds of mutants that no date can kill.
    const end =
      "-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8])))$";
    const pattern = (ten: string) =>
      `^(?:(?:\\d\\d${ten}[048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)${end}`;
    expect(hasNoTextMatching(["date"], [pattern("[^]")], [pattern("[2468]")])).toBe(true);
    expect(hasNoTextMatching(["date"], [pattern("[2468]")], [pattern("[24]")])).toBe(false);
    expect(hasNoTextMatching(["email"], ["^[^]*@a\\.b$"], ["^[!-~]*@a\\.b$"])).toBe(true);
  });
});
