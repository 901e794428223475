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

const whole = rule("WHOLE", `${id}#`);
const title = rule("TITLE", `${id}#/properties/title`, `${id}#/required/0`);
const length = rule("LENGTH", `${id}#/properties/title/maxLength`);
const twin = rule("TWIN", `${id}#/properties/title/maxLength`);
const { sites: _, ...manual } = rule("MANUAL");
const rules = [manual, whole, title, length, twin];

describe("ruleAt", () => {
  it.each([
    ["the exact site", "#/required/0", title],
    ["what lies beneath it", "#/properties/title/pattern", title],
    ["the longest of several, and the first of equals", "#/properties/title/maxLength", length],
    ["the whole schema for what no other covers", "#/properties/body", whole],
    ["the whole schema for itself", "#", whole],
    ["a name that merely shares a prefix", "#/properties/titles", whole],
    ["an entry whose number merely shares a prefix", "#/required/01", whole],
  ])("gives the rule of %s", (_, place, expected) => {
    expect(ruleAt(rules, `${id}${place}`)).toBe(expected);
  });

  it("finds no rule for another schema, or for a place without a rule", () => {
    expect(ruleAt(rules, "https://example.org/note.schema.json.bak#/required/0")).toBeUndefined();
    expect(ruleAt([manual, title], `${id}#/properties/body`)).toBeUndefined();
    expect(ruleAt([], `${id}#`)).toBeUndefined();
  });
});
