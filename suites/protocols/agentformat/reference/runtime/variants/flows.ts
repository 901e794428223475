import { equal } from "../../../../../../schemas/index.ts";
import { correctDecisions, type Decisions } from "../decisions.ts";
import { get, RunError } from "../order.ts";
import { breaks, type RuntimeVariant } from "../variant.ts";

/** Exits a loop one round too late. */
function exitLate(): Partial<Decisions> {
  let isDue = false;
  return {
    exits(holds, round) {
      const exits = isDue && round > 1;
      isDue = holds;
      return exits;
    },
  };
}

/** Continues to count tool calls in the next run. */
function countAllRuns(): Partial<Decisions> {
  let callsMade = 0;
  return { exceeds: (limitName, amount, limit) => (limitName === "tool calls" ? ++callsMade : amount) > limit };
}

/** Runtimes that call agents, tools or models at the wrong time, or the wrong ones. */
export const flowVariants: readonly RuntimeVariant[] = [
  ...breaks("AGF-POL-006", {
    "": ["runs an unknown policy as a sequence", { knowsPolicy: () => true }],
  }),
  ...breaks("AGF-POL-009", {
    "": [
      "stops one call before a limit",
      { exceeds: (limitName, amount, limit) => (limitName.endsWith("calls") ? amount >= limit : amount > limit) },
    ],
    // One more request for the answer would be correct.
    steps: [
      "ends one round before max_steps",
      { maxSteps: (config) => Math.max(1, correctDecisions.maxSteps(config) - 1), asksForFinalAnswer: () => false },
    ],
    capped: [
      "lets the model act at most ten times",
      { maxSteps: (config) => Math.min(10, correctDecisions.maxSteps(config)), asksForFinalAnswer: () => false },
    ],
    calls: [
      "counts each tool call as a step",
      { roundsOf: (calls) => Math.max(1, calls), asksForFinalAnswer: () => false },
    ],
    "tool-calls": [
      "counts tool calls as calls of the model",
      { countsFor: (kind) => (kind === "tool calls" ? [kind, "model calls"] : [kind]) },
    ],
    "model-calls": [
      "counts calls of the model as tool calls",
      { countsFor: (kind) => (kind === "model calls" ? [kind, "tool calls"] : [kind]) },
    ],
    delegations: ["counts each delegation as another level of depth", { depthOf: (before) => before + 1 }],
    runs: ["counts the tool calls of all runs together", countAllRuns],
  }),
  ...breaks("AGF-REACT-003", {
    "": [
      "declines a setting that the model does not support",
      {
        settings(config, unsupported) {
          const unsupportedName = unsupported.find((name) => config[name] !== undefined);
          if (unsupportedName !== undefined) throw new RunError(`the model does not support ${unsupportedName}`);
          return correctDecisions.settings(config, unsupported);
        },
      },
    ],
  }),
  ...breaks("AGF-REACT-004", {
    "": ["lets the model continue as long as it acts", { maxSteps: () => 1000 }],
    default: ["has another default for max_steps", { maxSteps: ({ max_steps: max = 25 }) => Number(max) }],
    late: [
      "lets the model act once more than max_steps",
      { maxSteps: (config) => correctDecisions.maxSteps(config) + 1 },
    ],
  }),
  ...breaks("AGF-REACT-005", {
    "": ["ignores tool_choice", { toolChoice: () => "auto" }],
    unoffered: ["calls tools that it has not offered to the model", { callsUnoffered: () => true }],
    once: [
      "requires a tool call only in the first round",
      { toolChoice: (config, round) => (round === 1 ? correctDecisions.toolChoice(config, round) : "auto") },
    ],
  }),
  ...breaks("AGF-REACT-006", {
    "": [
      "leaves the placeholders of a template unfilled",
      { prompt: (template, input) => template ?? correctDecisions.prompt(template, input) },
    ],
    bare: [
      "does not pass on the input if there is no template",
      { prompt: (template, input) => (template === undefined ? "Begin." : correctDecisions.prompt(template, input)) },
    ],
    signs: [
      "interprets special characters in a value as replacement patterns",
      {
        prompt(template, input) {
          if (template === undefined) return correctDecisions.prompt(template, input);
          const names = typeof input === "object" && input !== null && !Array.isArray(input) ? Object.keys(input) : [];
          return names.reduce(
            (text, name) =>
              text.replaceAll(`{{${name}}}`, String(get(input, name)).replaceAll("%s", "").replaceAll("\\", "")),
            template,
          );
        },
      },
    ],
  }),
  ...breaks("AGF-SEQ-002", {
    "": [
      "starts independent steps at the same time",
      { runsConcurrently: (_, steps) => !JSON.stringify(steps).includes(".output.") },
    ],
    once: [
      "runs only the first step of each agent",
      { isEnabled: ({ agent }, index, steps) => steps.findIndex((step) => step.agent === agent) === index },
    ],
  }),
  ...breaks("AGF-PAR-002", {
    "": ["runs parallel agents one after the other", { runsConcurrently: () => false }],
    pool: ["runs at most eight parallel agents at once", { poolSize: () => 8 }],
  }),
  ...breaks("AGF-LOOP-002", {
    "": ["ignores the exit condition", { exits: () => false }],
    late: ["checks the exit condition only from the second round on", { exits: (holds, round) => holds && round > 1 }],
    step: ["checks the exit condition after each step", { checksExit: (moment) => moment !== "before" }],
    before: ["checks the exit condition before a round", { checksExit: (moment) => moment === "before" }],
    default: [
      "has another default for max_iterations if there is an exit condition",
      {
        maxIterations: ({ max_iterations: max, exit_condition: exit }) => Number(max ?? (exit === undefined ? 10 : 11)),
      },
    ],
    "once-more": ["runs one more round after its exit condition matches", exitLate],
  }),
  ...breaks("AGF-LOOP-003", {
    "": ["has another default for max_iterations", { maxIterations: ({ max_iterations: max = 3 }) => Number(max) }],
    capped: [
      "makes at most ten rounds",
      { maxIterations: ({ max_iterations: max = 10 }) => Math.min(Number(max), 10) },
    ],
    late: [
      "makes one round more than max_iterations",
      {
        maxIterations: (config) =>
          correctDecisions.maxIterations(config) + (config.exit_condition === undefined ? 1 : 0),
      },
    ],
  }),
  ...breaks("AGF-BATCH-003", {
    "": ["processes no items if max_batch_count is 0", { batchCount: (items, max) => Math.min(items, max) }],
    unbounded: ["ignores max_batch_count", { batchCount: (items) => items }],
    late: [
      "processes one item more than max_batch_count",
      { batchCount: (items, max) => (max === 0 ? items : Math.min(items, max + 1)) },
    ],
    falsy: ["skips items that are 0, false or an empty string", { processesItem: Boolean }],
    twice: [
      "processes equal items once",
      { processesItem: (item, before) => !before.some((earlier) => equal(earlier, item)) },
    ],
    capped: [
      "processes at most ten items",
      { batchCount: (items, max) => Math.min(correctDecisions.batchCount(items, max), 10) },
    ],
  }),
  ...breaks("AGF-COND-002", {
    "": ["runs every route that matches", { chosenRoutes: (matching) => matching }],
    last: ["runs the last route that matches", { chosenRoutes: (matching) => matching.slice(-1) }],
  }),
  ...breaks("AGF-COND-003", {
    "": ["ends without an output if no route matches", { outputWithoutRoute: () => null }],
  }),
];
