import { describe, expect, it } from "vitest";
import { type Rule, ruleAt } from "./rule.ts";

const id = "https://example.org/note.schema.json";

function rule(name: string, ...sites: string[]): Rule {
  return {
    id: name,
    level: "MUST",
    clause: "1",
    statement: "",
    binds: [],
    check: "schema",
    sites,
    status: { covered: "vectors" },
  };
}

const wholeSchemaRule = rule("WHOLE", `${id}#`);
const titleRule = rule("TITLE", `${id}#/properties/title`, `${id}#/required/0`);
const lengthRule = rule("LENGTH", `${id}#/properties/title/maxLength`);
const sameSiteRule = rule("TWIN", `${id}#/properties/title/maxLength`);
const { sites: _, ...manual } = rule("MANUAL");
const rules = [manual, wholeSchemaRule, titleRule, lengthRule, sameSiteRule];

describe("ruleAt", () => {
  it.each([
    ["the exact site", "#/required/0", titleRule],
    ["a location below a site", "#/properties/title/pattern", titleRule],
    ["the longest of several sites, and the first of equal ones", "#/properties/title/maxLength", lengthRule],
    ["the whole schema if no other rule covers the location", "#/properties/body", wholeSchemaRule],
    ["the whole schema for itself", "#", wholeSchemaRule],
    ["a name that merely shares a prefix", "#/properties/titles", wholeSchemaRule],
    ["an entry whose number merely shares a prefix", "#/required/01", wholeSchemaRule],
  ])("finds the rule of %s", (_, place, expected) => {
    expect(ruleAt(rules, `${id}${place}`)).toBe(expected);
  });

  it("returns undefined for an unknown schema, or for a place without a rule", () => {
    expect(ruleAt(rules, "https://example.org/note.schema.json.bak#/required/0")).toBeUndefined();
    expect(ruleAt([manual, titleRule], `${id}#/properties/body`)).toBeUndefined();
    expect(ruleAt([], `${id}#`)).toBeUndefined();
  });
});
