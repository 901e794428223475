import { isObject, type JsonObject } from "../../../../../../schemas/index.ts";
import { correctDecisions } from "../decisions.ts";
import { memberObject, RunError } from "../order.ts";
import type { BehaviourChoice } from "./choice.ts";

export const policyChoices: readonly BehaviourChoice[] = (
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
  decisions: { knowsPolicy: (id) => id !== unsupported && correctDecisions.knowsPolicy(id) },
}));

export const endingChoices: readonly BehaviourChoice[] = [
  {
    name: "leaves-fields-out",
    freedoms: ["unresolved-path"],
    says: "calls a child without a field if its path has no value",
    decisions: { missingValue: () => undefined },
  },
  {
    name: "ends-at-absent-values",
    freedoms: ["unresolved-path"],
    says: "ends a run with an error if the condition of a route or a loop refers to a missing value",
    decisions: {
      matches(condition, args, use) {
        const groups = (Array.isArray(condition) ? condition : [condition]).filter(isObject);
        const missingPath = groups
          .flatMap((group) => Object.keys(memberObject(group, "args_match")))
          .find((key) => !(key in args));
        if (use !== "approval" && missingPath !== undefined) throw new RunError(`${missingPath} has no value`);
        return correctDecisions.matches(condition, args, use);
      },
    },
  },
  {
    name: "ends-with-what-there-is",
    freedoms: ["breach-ends"],
    says: "ends a run without an error if it reaches a limit",
    decisions: { outputAtLimit: () => null },
  },
  {
    name: "asks-at-last",
    freedoms: ["breach-ends"],
    says: "asks the model for a final answer after the last round",
    decisions: { asksForFinalAnswer: () => true },
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

export const outputChoices: readonly BehaviourChoice[] = [
  {
    name: "counts-batches",
    factor: "batch-output",
    freedoms: ["batch-output"],
    says: "returns the outputs of a batch in an object",
    decisions: { batchOutput: (results) => ({ count: results.length, outputs: results }) },
  },
  {
    name: "gives-last-of-batch",
    factor: "batch-output",
    freedoms: ["batch-output"],
    says: "returns the last output of a batch",
    decisions: { batchOutput: (results) => results.at(-1) ?? null },
  },
  {
    name: "merges-by-alias",
    factor: "merges",
    freedoms: ["merge-keyed"],
    says: "returns each output of a merge under the alias of its agent",
    decisions: { mergeOutputs: (results) => Object.fromEntries(results.map(({ name, output }) => [name, output])) },
  },
  {
    name: "fails-at-collisions",
    factor: "merges",
    freedoms: ["merge-collisions"],
    says: "ends a run with an error if merged outputs share a member",
    decisions: {
      mergeOutputs(results) {
        const names = results.flatMap(({ output }) => Object.keys((output ?? {}) as JsonObject));
        if (new Set(names).size < names.length) throw new RunError("two outputs have the same member");
        return correctDecisions.mergeOutputs(results);
      },
    },
  },
];

export const callChoices: readonly BehaviourChoice[] = [
  {
    name: "passes-nothing",
    factor: "no-mapping",
    freedoms: ["no-mapping"],
    says: "passes an empty object to a step without a mapping",
    decisions: { stepInput: () => ({}) },
  },
  {
    name: "batches-at-once",
    freedoms: ["batch-output"],
    says: "processes all items of a batch at once",
    decisions: { runsBatchConcurrently: () => true },
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
    says: "allows every tool if the list of allowed tools is empty",
    decisions: {
      exposedNames: (availableNames, allowedNames) =>
        correctDecisions.exposedNames(availableNames, allowedNames?.length === 0 ? undefined : allowedNames),
    },
  },
];
