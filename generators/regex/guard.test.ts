import { describe, expect, it } from "vitest";
import { stepsOf } from "./backtrack.ts";
import { guardPattern, isExplosive } from "./guard.ts";

const repeat = (text: string, times: number): string => text.repeat(times);

describe("stepsOf", () => {
  it.each([
    ["^(a+)+$", `${repeat("a", 40)}!`],
    ["(x+x+)+y", repeat("x", 40)],
    ["^(([a-z])+.)+[A-Z]([a-z])+$", repeat("a", 60)],
    ["^(a|a)*$", `${repeat("a", 40)}b`],
    [`^${repeat("(", 20)}a${repeat("+)", 20)}+$`, `${repeat("a", 20)}!`],
    ["^(?=(a+)+b)a", repeat("a", 40)],
    ["(?<=b(a+)+)$", repeat("a", 40)],
    ["^(\\w+\\s?)*$", `${repeat("a", 40)}!`],
  ])("gives up on /%s/ and the string %s", (pattern, text) => {
    expect(stepsOf(pattern)(text, 100_000)).toBeUndefined();
  });

  it.each([
    ["^(a+)+$", repeat("a", 5000)],
    ["^[a-z]+(-[a-z]+)*$", `${repeat("abc-", 40)}!`],
    ["^(?:\\d{1,3}\\.){3}\\d{1,3}$", "127.0.0.1x"],
    ["^a{1,100000}$", repeat("a", 5000)],
    ["^(a?)*$", repeat("a", 100)],
    ["^(?:){5,}$", ""],
    ["\\bfoo\\b|^\\p{L}$", "a foo, é"],
  ])("counts the steps of /%s/ on a string that it decides quickly", (pattern, text) => {
    expect(stepsOf(pattern)(text, 100_000)).toBeLessThan(50_000);
  });

  it("grows with the number of paths", () => {
    const steps = stepsOf("^(a+)+$");
    const [shortSteps, longSteps] = [10, 12].map((length) => steps(`${repeat("a", length)}!`, 1_000_000) as number) as [
      number,
      number,
    ];
    expect(longSteps / shortSteps).toBeGreaterThan(3);
  });
});

describe("guardPattern", () => {
  it("does not change a search that ends, and refuses or throws otherwise", () => {
    const refusing = guardPattern(/^(a+)+$/u, "refuse");
    expect(["aaa", "aab", repeat("a", 5000)].map((text) => refusing.test(text))).toEqual([true, false, true]);
    expect(refusing.test(`${repeat("a", 5000)}!`)).toBe(false);
    expect(() => guardPattern(/^(a+)+$/u, "throw").test(`${repeat("a", 50)}!`)).toThrow(/may take for ever/);
  });

  it("does not change a pattern that is always fast", () => {
    for (const pattern of [/^[a-z]+$/u, /^a*b*$/u, /^(a|b)$/u])
      expect(Object.hasOwn(guardPattern(pattern, "throw"), "test")).toBe(false);
  });

  it("still counts the steps of a short text after many explosive long ones", () => {
    for (let length = 30; length < 600; length += 1) isExplosive("^(b+)+$", `${repeat("b", length)}!`);
    expect(isExplosive("^(b+)+$", "bbb!")).toBe(false);
    expect(isExplosive("^(b+)+$", repeat("b", 700))).toBe(true);
  });
});
