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
const left = (names: string[], ...beyond: string[]) => readAs(protocol, names, { ...vector, beyond }).beyond;

it("a message that breaks only rules that a chosen reading tolerates must be accepted", () => {
  expect(left(["lax"], "X-2")).toBeUndefined();
  expect(left(["lax"], "X-2", "X-3")).toEqual(["X-2", "X-3"]);
  expect(left(["strict"], "X-2")).toEqual(["X-2"]);
  expect(left([], "X-2")).toEqual(["X-2"]);
});

it("a rule that is kept by accepting messages is covered by the messages that a reading tolerates", () => {
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

it("names the readings that would decide, but none that contradicts a chosen one", () => {
  const names = (chosen: string[], more: Partial<Vector>, { valid: _, ...rest } = vector) =>
    wouldDecide(protocol, chosen, more.readings === undefined ? { ...vector, ...more } : { ...rest, ...more });
  const open: Partial<Vector> = { rule: "X-2", readings: [{ verdict: "valid", by: ["lax"] }] };
  expect(names([], { beyond: ["X-2"] })).toEqual(["lax"]);
  expect(names([], { beyond: ["X-2", "X-3"] })).toEqual([]);
  expect(names([], {})).toEqual([]);
  expect(names([], open)).toEqual(["lax"]);
  expect(names(["strict"], open)).toEqual([]);
});
