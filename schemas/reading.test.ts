import { expect, it } from "vitest";
import { coverageOfRule } from "./coverage.ts";
import type { Profile, Protocol, Rule, Vector } from "./index.ts";
import { readAs, wouldDecide } from "./reading.ts";

const readings = [
  { name: "lax", says: "it may", tolerates: ["X-2"] },
  { name: "strict", says: "it may not" },
];
const profile = { contradictions: [{ about: "x", clause: "1", rules: ["X-2"], readings }] } as unknown as Profile;
const protocol: Pick<Protocol, "profile" | "rules"> = { profile, rules: [] };
const vector: Vector = { id: "x", description: "", valid: true, data: 1, needs: [], tags: [] };
const remainingRules = (decidingReadings: string[], ...beyond: string[]) =>
  readAs(protocol, decidingReadings, { ...vector, beyond }).beyond;

it("requires acceptance of a message that breaks only rules tolerated by a chosen reading", () => {
  expect(remainingRules(["lax"], "X-2")).toBeUndefined();
  expect(remainingRules(["lax"], "X-2", "X-3")).toEqual(["X-2", "X-3"]);
  expect(remainingRules(["strict"], "X-2")).toEqual(["X-2"]);
  expect(remainingRules([], "X-2")).toEqual(["X-2"]);
});

it("counts messages that a reading tolerates as coverage of a rule that requires acceptance", () => {
  const rule = { id: "X-1", check: "semantic", status: { covered: "vectors" } } as unknown as Rule;
  const tests = [
    { ...vector, rule: "X-1", beyond: ["X-2"] },
    { ...vector, rule: "X-1", beyond: ["X-3"] },
  ];
  const covered = (rules: string[]) => {
    const contradictions = [{ about: "x", clause: "1", rules, readings }];
    const documents = [{ name: "note", role: "entry" }] as Profile["documents"];
    return coverageOfRule({ documents, contradictions }, rule, [{ document: "note", tests }], []).vectors.message;
  };
  expect(covered(["X-1", "X-2"])).toBe(1);
  expect(covered(["X-2"])).toBe(0);
});

it("names the readings that would decide a vector, except those that contradict a chosen one", () => {
  const names = (chosen: string[], more: Partial<Vector>, { valid: _, ...rest } = vector) =>
    wouldDecide(protocol, chosen, more.readings === undefined ? { ...vector, ...more } : { ...rest, ...more });
  const disputedVector: Partial<Vector> = { rule: "X-2", readings: [{ verdict: "valid", by: ["lax"] }] };
  expect(names([], { beyond: ["X-2"] })).toEqual(["lax"]);
  expect(names([], { beyond: ["X-2", "X-3"] })).toEqual([]);
  expect(names([], {})).toEqual([]);
  expect(names([], disputedVector)).toEqual(["lax"]);
  expect(names(["strict"], disputedVector)).toEqual([]);
});
