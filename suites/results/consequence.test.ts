import { expect, it } from "vitest";
import type { Outcome, Result, Rule } from "../../schemas/index.ts";
import { attributeConsequences } from "./consequence.ts";

const rule = (id: string, ...follows: string[]): Rule => ({
  id,
  level: "MUST",
  clause: "1",
  statement: "It does.",
  binds: ["hub"],
  check: "stateful",
  status: { covered: "scenarios" },
  ...(follows.length === 0 ? {} : { follows }),
});
const rules = [rule("A-X-001"), rule("A-X-002", "A-X-001"), rule("A-X-003", "A-X-009", "A-X-002"), rule("A-X-004")];

function marksOf(...violations: [number: number, outcome: Outcome][]): (string | undefined)[] {
  const mark = attributeConsequences(rules);
  return violations.map(([number, outcome]) => {
    const base = { kind: "scenario", document: "scenarios", description: "", verdict: "valid", level: "MUST" } as const;
    const result: Result = { ...base, id: "x", rule: `A-X-00${number}`, outcome, why: "so" };
    return mark(result).follows;
  });
}

it("marks possible consequences of an earlier violation with their first cause", () => {
  expect(marksOf([1, "violates"], [2, "violates"], [3, "violates"], [2, "violates"])).toEqual([
    undefined,
    "A-X-001",
    "A-X-001",
    "A-X-001",
  ]);
});

it("does not mark an independent breach, which can itself be a cause", () => {
  const mark = attributeConsequences(rules);
  const base = { kind: "scenario", document: "scenarios", description: "", verdict: "valid", level: "MUST" } as const;
  const markViolation = (number: number, isIndependent = false): string | undefined =>
    mark({ ...base, id: "x", rule: `A-X-00${number}`, outcome: "violates", why: "so" }, isIndependent).follows;
  expect([markViolation(1), markViolation(2, true), markViolation(2), markViolation(3)]).toEqual([
    undefined,
    undefined,
    undefined,
    "A-X-002",
  ]);
});

it("marks a warning, but never treats a warning as a cause", () => {
  expect(marksOf([1, "violates"], [2, "warns"])).toEqual([undefined, "A-X-001"]);
  expect(marksOf([1, "warns"], [2, "violates"])).toEqual([undefined, undefined]);
});

it("does not mark a result that conforms, has no earlier cause, or was reported before its cause", () => {
  expect(marksOf([1, "violates"], [2, "conforms"], [4, "violates"])).toEqual([undefined, undefined, undefined]);
  expect(marksOf([2, "violates"], [1, "violates"], [2, "violates"])).toEqual([undefined, undefined, undefined]);
});
