import { describe, expect, it } from "vitest";
import { stepsOf } from "./backtrack.ts";
import { guardPattern, isExplosive } from "./guard.ts";

const many = (text: string, times: number): string => text.repeat(times);

describe("stepsOf", () => {
  it.each([
    ["^(a+)+$", `${many("a", 40)}!`],
    ["(x+x+)+y", many("x", 40)],
    ["^(([a-z])+.)+[A-Z]([a-z])+$", many("a", 60)],
    ["^(a|a)*$", `${many("a", 40)}b`],
    [`^${many("(", 20)}a${many("+)", 20)}+$`, `${many("a", 20)}!`],
    ["^(?=(a+)+b)a", many("a", 40)],
    ["(?<=b(a+)+)$", many("a", 40)],
    ["^(\\w+\\s?)*$", `${many("a", 40)}!`],
  ])("%s never ends on %s", (pattern, text) => {
    expect(stepsOf(pattern)(text, 100_000)).toBeUndefined();
  });

  it.each([
    ["^(a+)+$", many("a", 5000)],
    ["^[a-z]+(-[a-z]+)*$", `${many("abc-", 40)}!`],
    ["^(?:\\d{1,3}\\.){3}\\d{1,3}$", "127.0.0.1x"],
    ["^a{1,100000}$", many("a", 5000)],
    ["^(a?)*$", many("a", 100)],
    ["^(?:){5,}$", ""],
    ["\\bfoo\\b|^\\p{L}$", "a foo, é"],
  ])("%s ends on its text", (pattern, text) => {
    expect(stepsOf(pattern)(text, 100_000)).toBeLessThan(50_000);
  });

  it("grows with the number of paths", () => {
    const steps = stepsOf("^(a+)+$");
    const [one, other] = [10, 12].map((length) => steps(`${many("a", length)}!`, 1_000_000) as number) as [
      number,
      number,
    ];
    expect(other / one).toBeGreaterThan(3);
  });
});

describe("guarded", () => {
  it("judges terminating matches as before, and reports others", () => {
    const refusing = guardPattern(/^(a+)+$/u, "refuse");
    expect(["aaa", "aab", many("a", 5000)].map((text) => refusing.test(text))).toEqual([true, false, true]);
    expect(refusing.test(`${many("a", 5000)}!`)).toBe(false);
    expect(() => guardPattern(/^(a+)+$/u, "throw").test(`${many("a", 50)}!`)).toThrow(/may take for ever/);
  });

  it("leaves fast patterns alone", () => {
    for (const pattern of [/^[a-z]+$/u, /^a*b*$/u, /^(a|b)$/u])
      expect(Object.hasOwn(guardPattern(pattern, "throw"), "test")).toBe(false);
  });

  it("finds short texts harmless, however many long ones were explosive", () => {
    for (let length = 30; length < 600; length += 1) isExplosive("^(b+)+$", `${many("b", length)}!`);
    expect(isExplosive("^(b+)+$", "bbb!")).toBe(false);
    expect(isExplosive("^(b+)+$", many("b", 700))).toBe(true);
  });
});
