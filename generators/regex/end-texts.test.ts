import { describe, expect, it } from "vitest";
import { endTexts } from "./end-texts.ts";

const patterns = [
  "^evt_[A-Za-z0-9]{1,64}$",
  "^[A-Z][a-z]{3}$",
  "^[a-z0-9]+(-[a-z0-9]+)*$",
  "^([a-z0-9]+|broadcast)$",
  "^\\d{4}-\\d{2}$",
  "^[a-zA-Z_][a-zA-Z0-9_.-]{0,255}$",
  "^wss://.+",
];

describe("end texts", () => {
  it.each(patterns)("of /%s/ match the pattern", (source) => {
    const texts = endTexts(source);
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) expect(text).toMatch(new RegExp(source, "u"));
  });

  it("combine the ends of all ranges in one text if the class may be repeated", () => {
    expect(endTexts("^evt_[A-Za-z0-9]{1,64}$")[0]).toBe("evt_AZaz09");
    expect(endTexts("^[a-z0-9]+(-[a-z0-9_]+)*$")[0]).toBe("az09-az09_");
  });

  it("have one end each if the class may not be repeated", () => {
    expect(endTexts("^[A-Z][b-y]$").slice(0, 2)).toEqual(["Ab", "Zy"]);
    expect(new Set(endTexts("^[A-Za-z_][0-9]?$").map((text) => text[0]))).toEqual(new Set("AZaz_"));
  });

  it("cover every alternative", () => {
    expect(endTexts("^(?:[a-c]+|x)$")).toEqual(["ac", "x"]);
  });

  it("are as long as necessary, and not too long to read", () => {
    expect(endTexts("^[0-9a-f]{8}$")).toContain("09af09af");
    expect(endTexts("^[a-z]{400}$")).toEqual([]);
  });

  it("do not exist for look-ahead, back-references and classes without ends", () => {
    expect(endTexts("^(?=a)[a-z]$")).toEqual([]);
    expect(endTexts("^([a-z])\\1$")).toEqual([]);
    expect(endTexts("^[^a-z]$")).toEqual([]);
    expect(endTexts("^[]$")).toEqual([]);
  });
});
