import { add, remove, set } from "../../../../generators/index.ts";
import type { Cases, JsonObject, Reading } from "../../../../schemas/index.ts";

const calls = (max_tool_calls: number): JsonObject => ({ limits: { max_tool_calls } });
const bounds = (value: number): JsonObject => ({
  budget: { max_token_usage: value, max_duration_seconds: value },
  limits: { max_llm_calls: value, max_tool_calls: value, max_delegation_depth: value },
});
const at = "/effective/limits/max_tool_calls";
const off = { tighten_only_invariant: false };

const smallest: Cases = {
  rule: "AGF-CONS-003",
  document: "tightening",
  valid: [
    {
      name: "parent",
      says: "is the parent's, which is the smaller",
      data: { parent: calls(3), child: calls(10), effective: calls(3) },
      at,
    },
    {
      name: "child",
      says: "is the child's, which is the smaller",
      data: { parent: calls(3), child: calls(1), effective: calls(1) },
      at,
    },
    {
      name: "governance",
      says: "is that of governance, which is the smallest",
      data: { parent: calls(3), child: calls(4), governance: calls(2), effective: calls(2) },
      at,
    },
    {
      name: "all",
      says: "are the smallest for each bound",
      data: {
        parent: { ...bounds(9), tighten_only_invariant: true },
        child: bounds(8),
        governance: bounds(7),
        effective: bounds(7),
      },
      at: "/effective",
    },
    {
      name: "crossed",
      says: "come from different sides",
      data: {
        parent: { budget: { max_token_usage: 500 }, ...calls(9) },
        child: { budget: { max_token_usage: 900 }, ...calls(4) },
        effective: { budget: { max_token_usage: 500 }, ...calls(4) },
      },
      at: "/effective",
      edge: true,
    },
    {
      name: "parent-alone",
      says: "is the only one that there is",
      data: { parent: calls(3), child: {}, effective: calls(3) },
      at,
      edge: true,
    },
    {
      name: "child-alone",
      says: "is the only one that there is",
      data: { parent: {}, child: calls(5), effective: calls(5) },
      at,
    },
    {
      name: "unbounded",
      says: "has no bound, as nothing sets one",
      data: { parent: {}, child: {}, governance: {}, effective: {} },
      at: "/effective",
    },
    {
      name: "child-with-invariant-off",
      says: "is the child's, which is the smaller, whatever it says of the invariant",
      data: { parent: calls(3), child: { ...calls(2), ...off }, effective: calls(2) },
      at,
    },
    {
      name: "zero",
      says: "is zero, the smallest of all",
      data: { parent: calls(0), child: calls(5), effective: calls(0) },
      at,
      edge: true,
    },
  ],
  invalid: [
    { name: "child-replaces", says: "is the child's, which is the larger", change: set(at, 10) },
    { name: "parent-replaces", from: "child", says: "is the parent's, which is the larger", change: set(at, 3) },
    { name: "without-governance", from: "governance", says: "leaves out governance", change: set(at, 3) },
    {
      name: "own-bound-ignored",
      from: "child-with-invariant-off",
      says: "is the parent's, though the child has a smaller one of its own",
      change: set(at, 3),
      edge: true,
    },
    { name: "sum", says: "is the sum of the two", change: set(at, 13) },
    {
      name: "unbounded-child",
      from: "parent-alone",
      says: "has no bound, as the child sets none",
      change: set("/effective", {}),
      edge: true,
    },
    {
      name: "zero-for-absent",
      from: "child-alone",
      says: "is zero, as if the parent had set that",
      change: set(at, 0),
    },
    { name: "zero-as-no-bound", from: "zero", says: "takes zero for no bound", change: set(at, 5) },
    { name: "one-side-for-all", from: "crossed", says: "is of the side that is smaller in tokens", change: set(at, 9) },
    ...["budget/max_token_usage", "budget/max_duration_seconds", "limits/max_llm_calls", "limits/max_tool_calls"].map(
      (limit) => ({
        name: limit.replace(/^.*max_/, "").replaceAll("_", "-"),
        from: "all",
        says: "is above the smallest by one",
        change: set(`/effective/${limit}`, 8),
        edge: true as const,
      }),
    ),
    {
      name: "dropped",
      from: "all",
      says: "has no bound on tokens left",
      change: remove("/effective/budget/max_token_usage"),
      at: "/effective",
    },
  ],
  disputed: [
    {
      name: "invariant-off",
      says: "is the child's, below a parent that lets its children go further",
      change: [...add("/parent/tighten_only_invariant", false), ...set(at, 10)],
      at,
      readings: free("valid"),
    },
    {
      name: "invariant-off-and-tight",
      says: "is the parent's, although it lets its children go further",
      change: add("/parent/tighten_only_invariant", false),
      at,
      readings: free("invalid"),
    },
  ],
};

/** Which side may loosen when the parent has the invariant off, is unsaid. */
function free(ifChild: "valid" | "invalid"): Reading[] {
  const other = ifChild === "valid" ? "invalid" : "valid";
  return [
    { verdict: ifChild, by: ["the child may loosen"], why: "off means that those below may set bounds of their own" },
    {
      verdict: other,
      by: ["only the parent may loosen"],
      why: "off means that the parent itself is not held to what is above it",
    },
  ];
}

const noEscape: Cases = {
  rule: "AGF-CONS-005",
  document: "tightening",
  valid: [
    {
      name: "held",
      says: "is the parent's, though the child has the invariant off",
      data: { parent: calls(3), child: { ...calls(10), ...off }, effective: calls(3) },
      at,
      edge: true,
    },
    {
      name: "own",
      says: "is the child's own, which is the smaller",
      data: { parent: calls(3), child: { ...calls(2), ...off }, effective: calls(2) },
      at,
    },
    {
      name: "governance",
      says: "is that of governance, though the child has the invariant off",
      data: {
        parent: { ...calls(5), tighten_only_invariant: true },
        child: off,
        governance: calls(4),
        effective: calls(4),
      },
      at,
    },
  ],
  invalid: [
    { name: "escaped", says: "is the child's, as if it could turn the invariant off", change: set(at, 10) },
    { name: "between", says: "is between the two", change: set(at, 4), edge: true },
    {
      name: "unbounded",
      from: "governance",
      says: "has no bound, as if the child had turned governance off",
      change: set("/effective", {}),
    },
    {
      name: "without-governance",
      from: "governance",
      says: "is the parent's, as if the child had turned governance off",
      change: set(at, 5),
    },
  ],
};

export const tighteningCases: readonly Cases[] = [smallest, noEscape];
