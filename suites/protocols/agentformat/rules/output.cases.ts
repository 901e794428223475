import { add, set } from "../../../../generators/index.ts";
import type { Cases } from "../../../../schemas/index.ts";
import { agent, call, locals, loop, parallel, sequential } from "./documents.ts";

const at = "/execution_policy/config/output_from";
/** Whoever looks for the alias does so among the declared ones. */
const involves = ["/action_space/local_agents"];
const namedLast = (output_from: string | { agent: string }) =>
  agent(
    "agf.sequential",
    { steps: [call("last", { place: "parent.input.city" }), call("writer", {})], output_from },
    { action_space: locals("last", "writer") },
  );

const output: Cases = {
  rule: "AGF-OUT-002",
  document: "agent",
  valid: [
    { name: "alias", says: "is the alias of a step's agent", data: sequential({ output_from: "writer" }), at },
    { name: "last", says: "is a strategy", data: loop({ output_from: "last" }), at },
    { name: "merge", says: "is a strategy", data: parallel({ output_from: "merge" }), at },
    { name: "first", says: "is a strategy", data: parallel({ output_from: "first" }), at },
    {
      name: "strategy-and-alias",
      says: "is a strategy, although an agent bears its name",
      data: namedLast("last"),
      at,
      edge: true,
    },
    {
      name: "strategy-of-an-agent-not-called",
      says: "is a strategy, although an agent that no step calls bears its name",
      data: { ...sequential({ output_from: "last" }), action_space: locals("finder", "writer", "last") },
      at,
      edge: true,
    },
  ],
  invalid: [
    { name: "neither", says: "is neither a strategy nor an alias", change: set(at, "all") },
    { name: "strategy-in-capitals", says: "is a strategy but for its case", change: set(at, "Last"), edge: true },
    { name: "alias-in-capitals", says: "is an alias but for its case", change: set(at, "WRITER") },
    { name: "loop", from: "last", says: "is neither a strategy nor an alias", change: set(at, "final"), involves },
    {
      name: "parallel",
      from: "merge",
      says: "is neither a strategy nor an alias",
      change: set(at, "merged"),
      involves,
    },
    {
      name: "remote",
      says: "is no strategy, and the alias of a remote agent alone",
      change: [...add("/action_space/remote_agents", [{ alias: "hotel" }]), ...set(at, "hotel")],
      at,
      involves,
    },
    { name: "path", says: "is a path, which only begins with an alias", change: set(at, "writer.output") },
  ],
  disputed: [
    {
      name: "merge-of-a-sequence",
      says: "is a strategy whose meaning for a sequence is unsaid",
      change: set(at, "merge"),
      readings: [
        { verdict: "valid", by: ["schema"], why: "the three strategies may stand under each of the policies" },
        { verdict: "invalid", by: ["description"], why: "only for a parallel policy is it told what is merged" },
      ],
    },
    {
      name: "first-of-a-loop",
      from: "last",
      says: "is a strategy whose meaning for a loop is unsaid",
      change: set(at, "first"),
      readings: [
        { verdict: "valid", by: ["schema"], why: "the three strategies may stand under each of the policies" },
        { verdict: "invalid", by: ["description"], why: "first step or first round: nothing tells" },
      ],
    },
  ],
};

const ownOutput: Cases = {
  rule: "AGF-OUT-004",
  document: "agent",
  valid: [
    { name: "last-step", says: "is called last", data: sequential({ output_from: "writer" }), at },
    {
      name: "first-step",
      says: "is called first, and by another step's result no more than mentioned",
      data: sequential({ output_from: { agent: "finder" } }),
      at,
      edge: true,
    },
    { name: "parallel", says: "is one of those called at once", data: parallel({ output_from: "finder" }), at },
    { name: "loop", says: "is a step of the loop", data: loop({ output_from: { agent: "critic" } }), at },
    {
      name: "named-like-a-strategy",
      says: "is an agent of the policy whose alias means a strategy as text",
      data: namedLast({ agent: "last" }),
      at: `${at}/agent`,
      edge: true,
    },
  ],
  invalid: [
    { name: "declared-only", says: "is declared, and not called", change: set(at, "spare") },
    { name: "object", from: "first-step", says: "is declared, and not called", change: set(`${at}/agent`, "spare") },
    {
      name: "declared-only-in-parallel",
      from: "parallel",
      says: "is declared, and not called",
      change: set(at, "critic"),
    },
    {
      name: "declared-only-in-loop",
      from: "loop",
      says: "is declared, and not called",
      change: set(`${at}/agent`, "finder"),
    },
  ],
};

export const outputCases: readonly Cases[] = [output, ownOutput];
