import { describe, expect, it } from "vitest";
import { flavourOf } from "./pattern.ts";

describe("flavourOf", () => {
  it.each([
    "",
    "^a$",
    "^archive/[a-z]+$",
    "a{2}",
    "\\d+\\.\\d",
    "(?<year>\\d{4})-\\k<year>",
    "(?=a)a",
    "[^\\]]",
    "\\p{L}+",
    // Invalid with the flag u, but valid ECMA-262 without it.
    "a{",
    "]",
    "\\_",
    "a\\-b",
    "{{x}}",
    "\\\\Also",
  ])("recognizes %j as ECMA-262", (pattern) => expect(flavourOf(pattern)).toBe("ecma"));

  it.each([
    "(?i)a",
    "(?im)^a$",
    "(?P<n>a)(?P=n)",
    "\\Aa\\z",
    "a\\Z",
    "(?>a|b)c",
    "a++",
    "a*+b",
    "(a)?(?(1)b|c)",
    "a(?#why)b",
    "(?s-i:a)",
    "(?|(a)|(b))",
    "\\Q.\\E",
    "\\Q(\\E",
    "a(?i)b",
    "(?<n>a)\\k'n'",
    "(a(?R)?b)",
    "(?1)(a)",
    // Perl, RE2 and Ruby allow repeated empty matches; Ruby allows a repeated repetition; Perl, Ruby and .NET allow repeated names.
    "^*a",
    "a$*",
    "\\b+a",
    "\\A{2}a",
    "a**",
    "a{2}{3}",
    "a{3,2}",
    "(?'n'a)",
    "(?<n>a)(?<n>b)",
  ])("recognizes %j as another flavour", (pattern) => expect(flavourOf(pattern)).toBe("other"));

  it.each([
    "(",
    ")",
    "a)",
    "[a",
    "*a",
    "+",
    "?",
    "[z-a]",
    "(?<n",
    "(?P<1>a)",
    "\\",
    "(?i)(",
    "**",
    "(^*",
    "(?<n>a)(?<n>b",
  ])("recognizes %j as invalid in every flavour", (pattern) => expect(flavourOf(pattern)).toBe("none"));

  it("accepts patterns that are too long to examine", () => {
    expect(flavourOf("(?#".repeat(50_000))).toBe("other");
    expect(flavourOf("(a+)+".repeat(20_000))).toBe("ecma");
  });
});
