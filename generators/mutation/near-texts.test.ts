import { describe, expect, it } from "vitest";
import { moveNearer } from "./near-texts.ts";

it.each<[text: string, pattern: RegExp, becomes: string]>([
  ["0000-00-00 00:00:00Z", /^.{10} .*Z$/, "2026-01-15 10:31:20Z"],
  ["0000-00-00T0:00:00Z", /^.{10}T\d:..:..Z$/, "2026-01-15T0:31:20Z"],
  ["0000-00-00T00:00:00+01:00", /^.{10}T.{8}\+01:00$/, "2026-01-15T10:31:20+01:00"],
  ["0000-00-00T00:00:00Z", /^0000-00-/, "0000-00-15T10:31:20Z"],
])("moves %s as close to a valid time as possible", (text, pattern, becomes) => {
  expect(moveNearer(text, "2026-01-15T10:31:20Z", false, (candidate) => pattern.test(candidate))).toBe(becomes);
});

it("leaves a string unchanged if there is no valid time", () => {
  expect(moveNearer("a", "b", false, () => true)).toBe("a");
  expect(moveNearer("a", undefined, true, () => true)).toBe("a");
});

describe("a text that semantic rules check too", () => {
  const near = (text: string, right: string, mutant: RegExp, existing = ""): string =>
    moveNearer(
      text,
      right,
      true,
      (candidate) => mutant.test(candidate) && !/^[0-9]+[.][0-9]+$/.test(candidate) && candidate !== existing,
    );

  it.each<[text: string, mutant: RegExp, becomes: string, what: string]>([
    ["0.\u0660", /^[0-9]+[.]\p{Nd}+$/u, "1.\u0663", "the same digit of another script"],
    ["\u0660.0", /^\p{Nd}+[.][0-9]+$/u, "\u0661.3", "the same digit at another place"],
    ["0.a", /^[0-9]+[.][0-9a]+$/, "1.a", "one character exchanged"],
    ["0..", /^[0-9]+[.][0-9]*[.]?$/, "1.", "one character missing"],
    ["0.0-", /^[0-9]+[.][0-9]+-?$/, "1.3-", "one additional character"],
  ])("%j for %s becomes %j: %s", (text, mutant, becomes) => {
    expect(near(text, "1.3", mutant)).toBe(becomes);
  });

  it("becomes a different string if a vector already has the first one", () => {
    expect(near("0.\u0660", "1.3", /^[0-9]+[.]\p{Nd}+$/u, "1.\u0663")).toBe("1.\u06f3");
  });

  it("is unchanged if no similar string is equally good", () => {
    expect(near("0.\u0660", "1.3", /^0[.]\u0660$/)).toBe("0.\u0660");
  });
});
