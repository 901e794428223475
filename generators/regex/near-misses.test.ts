import { describe, expect, it } from "vitest";
import { lookAlike } from "./look-alike.ts";
import { eachNearMiss, longestOf, nearMisses, shortestOf } from "./near-misses.ts";

describe("nearMisses", () => {
  const reply = /^rpl_[A-Za-z0-9]{1,64}$/u;
  const misses = nearMisses(reply, "rpl_a1B2");
  const textOf = (name: string) => misses.find((miss) => miss.name === name)?.text;

  it("have different names and texts, and are all refused", () => {
    expect(misses.filter(({ text }) => reply.test(text))).toEqual([]);
    expect(new Set(misses.map(({ name }) => name)).size).toBe(misses.length);
    expect(new Set(misses.map(({ text }) => text)).size).toBe(misses.length);
  });

  it.each([
    ["prefix-missing", "pl_a1B2"],
    ["line-feed-at-the-end", "rpl_a1B2\n"],
    ["leading-space", " rpl_a1B2"],
    ["trailing-space", "rpl_a1B2 "],
    ["empty", ""],
    ["other-case", "RPL_A1B2"],
    ["look-alike", "rpl_\u017f1B2"],
    ["space-first", " pl_a1B2"],
    ["hyphen-last", "rpl_a1B-"],
    ["line-feed-inside", "rpl_a1B\n2"],
    ["nul-inside", "rpl_a1B\u00002"],
    ["word-before", "xrpl_a1B2"],
    ["doubled", "rpl_a1B2rpl_a1B2"],
    ["one-over-the-longest", `rpl_${"a".repeat(65)}`],
  ])("include %s", (name, text) => {
    expect(textOf(name)).toBe(text);
  });

  it.each([
    ["^[a-j]*$", "abc", "аbc", "a letter that looks like its own, if neither k nor s is matched"],
    ["^[a-j]s$", "as", "a\u017f", "the long s, if only s is matched"],
    ["^[A-Z]{2}$", "AB", "\u212aB", "the sign for kelvin, if K is matched"],
  ])("for %s and the string %s include %s: %s", (source, matching, text) => {
    expect(nearMisses(new RegExp(source, "u"), matching).find(({ name }) => name === "look-alike")?.text).toBe(text);
  });

  it("include the same digit of another script", () => {
    const texts = nearMisses(/^[a-z0-9_./ A-Zé-]+$/u, "x10").map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining(["７10", "x１0", "x1０"]));
  });

  it("are spare if a mutant of every class accepts their character", () => {
    const spare = misses.filter((miss) => miss.spare === true).map(({ name }) => name);
    expect(spare).toEqual(expect.arrayContaining(["space-first", "hyphen-last", "underscore-middle"]));
    expect(spare).not.toContain("nul-inside");
    expect(spare).not.toContain("first-left-out");
  });

  it("do not include texts that the pattern matches", () => {
    const names = nearMisses(/a/u, "a").map(({ name }) => name);
    expect(names).toContain("prefix-missing");
    expect(names).not.toContain("trailing-space");
    expect(nearMisses(/^/u, "a")).toEqual([]);
  });
});

describe("longestOf and shortestOf", () => {
  it.each<[string, string | undefined, string | undefined]>([
    ["^rpl_[A-Za-z0-9]{1,64}$", "rpl_a", `rpl_${"a".repeat(64)}`],
    ["^(?:b|ccc)$", "b", "ccc"],
    ["^[a-z][a-z0-9-]{0,30}[a-z0-9]$", "aa", "a".repeat(32)],
    ["^(?!-)[a-z0-9-]{1,63}(?<!-)$", "a", "a".repeat(63)],
    ["^(?:[a-z]{1,40}|[0-9]{3,60})x?$", "a", `${"0".repeat(60)}x`],
    ["^a+$", "a", undefined],
    ["^$", "", ""],
    ["^a{0,2000}$", "", undefined],
    ["^(a*)\\1$", undefined, undefined],
    ["[]", undefined, undefined],
  ])("/%s/", (source, shortest, longest) => {
    expect([shortestOf(source), longestOf(source)]).toEqual([shortest, longest]);
  });
});

describe("lookAlike", () => {
  it("replaces one letter by its twin, or adds an invisible character", () => {
    expect(lookAlike("xyza")).toBe("xyzа");
    expect(lookAlike("10")).toBe("l0");
    expect(lookAlike("XYZ")).toBe("XYZ\u200b");
  });
});

describe("eachNearMiss", () => {
  it("tests a text only when the caller requests it", () => {
    const pattern = /^[a-z]+$/u;
    const testedTexts: string[] = [];
    pattern.test = (text) => {
      testedTexts.push(text);
      return RegExp.prototype.test.call(pattern, text);
    };
    const inside = (function* () {
      yield { name: "first", text: "a1" };
      throw new Error("no further near miss was requested");
    })();
    const names: string[] = [];
    for (const { name } of eachNearMiss(pattern, "ab", inside)) {
      names.push(name);
      if (name === "first") break;
    }
    expect(names.slice(-2)).toEqual(["look-alike", "first"]);
    expect(testedTexts.length).toBeLessThan(12);
  });
});
