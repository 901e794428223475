import { isObject, type JsonObject } from "../../../../../../schemas/index.ts";
import { rightDecisions } from "../decisions.ts";
import { memberObject, RunError } from "../order.ts";
import type { Conduct } from "./choice.ts";

export const policies: readonly Conduct[] = (
  [
    ["lacks-react", "agf.react"],
    ["lacks-sequence", "agf.sequential"],
    ["lacks-parallel", "agf.parallel"],
    ["lacks-loop", "agf.loop"],
    ["lacks-batch", "agf.batch"],
    ["lacks-routes", "agf.conditional"],
  ] as const
).map(([name, unsupported]) => ({
  name,
  factor: "policies",
  freedoms: ["unsupported-policies"],
  says: `does not support ${unsupported}`,
  decisions: { knowsPolicy: (id) => id !== unsupported && rightDecisions.knowsPolicy(id) },
}));

export const endings: readonly Conduct[] = [
  {
    name: "leaves-fields-out",
    freedoms: ["unresolved-path"],
    says: "calls a child without a field if its path has no value",
    decisions: { missingValue: () => undefined },
  },
  {
    name: "ends-at-absent-values",
    freedoms: ["unresolved-path"],
    says: "ends a run with an error if a condition on a route or a loop has a path to nothing",
    decisions: {
      matches(condition, args, use) {
        const groups = (Array.isArray(condition) ? condition : [condition]).filter(isObject);
        const absent = groups
          .flatMap((group) => Object.keys(memberObject(group, "args_match")))
          .find((key) => !(key in args));
        if (use !== "approval" && absent !== undefined) throw new RunError(`${absent} leads nowhere`);
        return rightDecisions.matches(condition, args, use);
      },
    },
  },
  {
    name: "ends-with-what-there-is",
    freedoms: ["breach-ends"],
    says: "ends a run at a limit without an error",
    decisions: { breached: () => null },
  },
  {
    name: "asks-at-last",
    freedoms: ["breach-ends"],
    says: "asks the model for its answer after the last round",
    decisions: { asksAtLast: () => true },
  },
  {
    name: "fails-when-refused",
    freedoms: [],
    says: "ends a run with an error if a call is refused",
    decisions: {
      textAfterRefusal: (name) => {
        throw new RunError(`the call of ${name} was refused`);
      },
    },
  },
  {
    name: "fails-at-unknown-tools",
    freedoms: [],
    says: "ends a run with an error if the model calls an unknown tool",
    decisions: {
      unknownTool: (name) => {
        throw new RunError(`there is no tool ${name}`);
      },
    },
  },
];

export const outputs: readonly Conduct[] = [
  {
    name: "counts-batches",
    factor: "batch-output",
    freedoms: ["batch-output"],
    says: "returns the outputs of a batch in an object",
    decisions: { batched: (all) => ({ count: all.length, outputs: all }) },
  },
  {
    name: "gives-last-of-batch",
    factor: "batch-output",
    freedoms: ["batch-output"],
    says: "returns the last output of a batch",
    decisions: { batched: (all) => all.at(-1) ?? null },
  },
  {
    name: "merges-by-alias",
    factor: "merges",
    freedoms: ["merge-keyed"],
    says: "returns each output of a merge under the alias of its agent",
    decisions: { merged: (results) => Object.fromEntries(results.map(({ name, output }) => [name, output])) },
  },
  {
    name: "fails-at-collisions",
    factor: "merges",
    freedoms: ["merge-collisions"],
    says: "ends a run with an error if merged outputs share a member",
    decisions: {
      merged(results) {
        const names = results.flatMap(({ output }) => Object.keys((output ?? {}) as JsonObject));
        if (new Set(names).size < names.length) throw new RunError("two outputs have the same member");
        return rightDecisions.merged(results);
      },
    },
  },
];

export const calls: readonly Conduct[] = [
  {
    name: "passes-nothing",
    factor: "no-mapping",
    freedoms: ["no-mapping"],
    says: "gives a step without a mapping an empty object",
    decisions: { stepInput: () => ({}) },
  },
  {
    name: "batches-at-once",
    freedoms: ["batch-output"],
    says: "processes all items of a batch at once",
    decisions: { isBatchAtOnce: () => true },
  },
  {
    name: "calls-parallel-backwards",
    freedoms: [],
    says: "calls parallel agents from the last to the first",
    decisions: { parallelOrder: (steps) => [...steps].reverse() },
  },
  {
    name: "allows-all-of-empty-lists",
    freedoms: ["empty-tools"],
    says: "treats an empty list of allowed tools as no list",
    decisions: {
      exposedNames: (has, allowedNames) =>
        rightDecisions.exposedNames(has, allowedNames?.length === 0 ? undefined : allowedNames),
    },
  },
];
