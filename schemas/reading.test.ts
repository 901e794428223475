import { expect, it } from "vitest";
import type { Profile, Protocol, Vector } from "./index.ts";
import { readAs } from "./reading.ts";

const readings = [
  { name: "lax", says: "it may", tolerates: ["X-2"] },
  { name: "strict", says: "it may not" },
];
const profile = { contradictions: [{ about: "x", clause: "1", rules: ["X-2"], readings }] } as unknown as Profile;
const protocol: Pick<Protocol, "profile" | "rules"> = { profile, rules: [] };
const vector: Vector = { id: "x", description: "", valid: true, data: 1, needs: [], tags: [] };
const left = (names: string[], ...beyond: string[]) => readAs(protocol, names, { ...vector, beyond }).beyond;

it("what breaks only rules that a chosen reading tolerates must be accepted", () => {
  expect(left(["lax"], "X-2")).toBeUndefined();
  expect(left(["lax"], "X-2", "X-3")).toEqual(["X-2", "X-3"]);
  expect(left(["strict"], "X-2")).toEqual(["X-2"]);
  expect(left([], "X-2")).toEqual(["X-2"]);
});
