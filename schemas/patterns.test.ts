import { describe, expect, it } from "vitest";
import { patternFault, tooDeep } from "./patterns.ts";

describe("patternFault", () => {
  it.each(["^[a-z0-9][a-z0-9-]*$", "[\\w\\-.]", "\\p{L}+", "^\\/$", "(?<year>\\d{4})\\k<year>", "", "[😀-😂]"])(
    "finds nothing in %s",
    (source) => {
      expect(patternFault(source)).toBeUndefined();
    },
  );

  it.each([
    ["a\\-b", "invalid escape \\-", "write - without the backslash"],
    ["[\\w\\-]+\\_", "invalid escape \\_", "write _ without the backslash"],
    ["^\\@$", "invalid escape \\@", "write @ without the backslash"],
    ["\\\\\\A", "invalid escape \\A", "write ^ for the beginning"],
    ["^a\\Z", "invalid escape \\Z", "write $ for the end"],
    ["\\h+", "invalid escape \\h", "write out its characters"],
    ["(a)\\2", "invalid escape", "refer to groups that there are"],
    ["(?P<year>a)", "invalid group", "(?<name>…)"],
    ["(?i)yes", "invalid group", "write both cases"],
    ["(?>a)", "invalid group", "no atomic groups"],
    ["a++", "nothing to repeat", "no possessive quantifiers"],
    ["\\pL", "invalid property name", "\\p{L}"],
    ["[\\w-.]", "invalid character class", "as \\-"],
    ["a{", "incomplete quantifier", "as \\{"],
    ["}", "lone quantifier brackets", "as \\{, \\} or \\]"],
    ["([\\w\\-]+", "unterminated group", "ECMA-262"],
    ["[b-a]", "range out of order in character class", "ECMA-262"],
  ])("explains %s: %s", (source, why, hint) => {
    expect(patternFault(source)).toEqual({ why, hint: expect.stringContaining(hint) });
  });
});

describe("tooDeep", () => {
  it.each(["((a)|(b))", "(a)".repeat(5000), "\\(".repeat(1000), "[(]".repeat(1000), "(".repeat(500)])(
    "accepts %s",
    (source) => {
      expect(tooDeep(source)).toBeUndefined();
    },
  );

  it("returns the depth of groups nested in groups", () => {
    expect(tooDeep(`${"(".repeat(5000)}a${")".repeat(5000)}`)).toBe(5000);
    expect(tooDeep(`(a)[)]\\)${"(?:".repeat(501)}`)).toBe(501);
  });
});
