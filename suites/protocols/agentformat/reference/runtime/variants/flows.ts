import { equal } from "../../../../../../schemas/index.ts";
import { type Decisions, rightDecisions } from "../decisions.ts";
import { get, RunError } from "../order.ts";
import { breaks, type RuntimeVariant } from "../variant.ts";

/** Exits a round too late. */
function exitsLate(): Partial<Decisions> {
  let due = false;
  return {
    exits(holds, round) {
      const isDue = due && round > 1;
      due = holds;
      return isDue;
    },
  };
}

/** Continues to count tool calls in the next run. */
function countAllRuns(): Partial<Decisions> {
  let callsMade = 0;
  return { exceeds: (limitName, amount, limit) => (limitName === "tool calls" ? ++callsMade : amount) > limit };
}

/** Runtimes that call at the wrong time, or call something else. */
export const flows: readonly RuntimeVariant[] = [
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
      { maxSteps: (config) => Math.max(1, rightDecisions.maxSteps(config) - 1), asksAtLast: () => false },
    ],
    capped: [
      "lets the model act at most ten times",
      { maxSteps: (config) => Math.min(10, rightDecisions.maxSteps(config)), asksAtLast: () => false },
    ],
    calls: ["counts each tool call as a step", { roundsOf: (calls) => Math.max(1, calls), asksAtLast: () => false }],
    "tool-calls": [
      "counts tool calls as calls of the model",
      { countsFor: (kind) => (kind === "tool calls" ? [kind, "model calls"] : [kind]) },
    ],
    "model-calls": [
      "counts calls of the model as tool calls",
      { countsFor: (kind) => (kind === "model calls" ? [kind, "tool calls"] : [kind]) },
    ],
    delegations: ["counts delegations as depth", { depthOf: (before) => before + 1 }],
    runs: ["counts the tool calls of all runs together", countAllRuns],
  }),
  ...breaks("AGF-REACT-003", {
    "": [
      "declines a setting that the model does not know",
      {
        settings(config, lacks) {
          const unsupportedMember = lacks.find((name) => config[name] !== undefined);
          if (unsupportedMember !== undefined) throw new RunError(`the model does not know ${unsupportedMember}`);
          return rightDecisions.settings(config, lacks);
        },
      },
    ],
  }),
  ...breaks("AGF-REACT-004", {
    "": ["lets the model continue as long as it acts", { maxSteps: () => 1000 }],
    default: ["has another default for max_steps", { maxSteps: ({ max_steps: max = 25 }) => Number(max) }],
    late: [
      "lets the model act once more than max_steps",
      { maxSteps: (config) => rightDecisions.maxSteps(config) + 1 },
    ],
  }),
  ...breaks("AGF-REACT-005", {
    "": ["ignores tool_choice", { toolChoice: () => "auto" }],
    unoffered: ["calls tools that it has not offered to the model", { callsUnoffered: () => true }],
    once: [
      "requires a tool call only in the first round",
      { toolChoice: (config, round) => (round === 1 ? rightDecisions.toolChoice(config, round) : "auto") },
    ],
  }),
  ...breaks("AGF-REACT-006", {
    "": [
      "leaves the placeholders of a template unfilled",
      { prompt: (template, input) => template ?? rightDecisions.prompt(template, input) },
    ],
    bare: [
      "does not pass on the input without a template",
      { prompt: (template, input) => (template === undefined ? "Begin." : rightDecisions.prompt(template, input)) },
    ],
    signs: [
      "interprets special characters in a value as replacement patterns",
      {
        prompt(template, input) {
          if (template === undefined) return rightDecisions.prompt(template, input);
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
      "starts steps at once that do not depend on each other",
      { areAtOnce: (_, steps) => !JSON.stringify(steps).includes(".output.") },
    ],
    once: [
      "runs only one step of an agent that has two",
      { isOn: ({ agent }, index, steps) => steps.findIndex((step) => step.agent === agent) === index },
    ],
  }),
  ...breaks("AGF-PAR-002", {
    "": ["runs parallel agents one after the other", { areAtOnce: () => false }],
    pool: ["runs at most eight parallel agents at once", { pool: () => 8 }],
  }),
  ...breaks("AGF-LOOP-002", {
    "": ["ignores the exit condition", { exits: () => false }],
    late: ["checks the exit condition only from the second round on", { exits: (holds, round) => holds && round > 1 }],
    step: ["checks the exit condition after each step", { looksAtExit: (moment) => moment !== "before" }],
    before: ["checks the exit condition before a round", { looksAtExit: (moment) => moment === "before" }],
    default: [
      "has another default for max_iterations beside an exit condition",
      {
        maxIterations: ({ max_iterations: max, exit_condition: exit }) => Number(max ?? (exit === undefined ? 10 : 11)),
      },
    ],
    "once-more": ["continues for a round after its exit condition matches", exitsLate],
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
        maxIterations: (config) => rightDecisions.maxIterations(config) + (config.exit_condition === undefined ? 1 : 0),
      },
    ],
  }),
  ...breaks("AGF-BATCH-003", {
    "": ["reads a max_batch_count of 0 as no items", { batchCount: (items, max) => Math.min(items, max) }],
    unbounded: ["ignores max_batch_count", { batchCount: (items) => items }],
    late: [
      "processes one item more than max_batch_count",
      { batchCount: (items, max) => (max === 0 ? items : Math.min(items, max + 1)) },
    ],
    falsy: ["skips items of 0, false and empty text", { processesItem: Boolean }],
    twice: [
      "processes equal items once",
      { processesItem: (item, before) => !before.some((each) => equal(each, item)) },
    ],
    capped: [
      "processes at most ten items",
      { batchCount: (items, max) => Math.min(rightDecisions.batchCount(items, max), 10) },
    ],
  }),
  ...breaks("AGF-COND-002", {
    "": ["runs every route that matches", { chosenRoutes: (matching) => matching }],
    last: ["runs the last route that matches", { chosenRoutes: (matching) => matching.slice(-1) }],
  }),
  ...breaks("AGF-COND-003", {
    "": ["ends without an output if no route matches", { unmatched: () => null }],
  }),
];
