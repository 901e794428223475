import { aliasVariants } from "./alias-variants.ts";
import { conditionVariants } from "./condition-variants.ts";
import { right } from "./decisions.ts";
import { flowVariants } from "./flow-variants.ts";
import { get, RunError } from "./order.ts";
import type { RuntimeVariant } from "./variant.ts";

/** Remembers how often it was asked, for runtimes whose mistakes differ from time to time. */
let drawn = 0;

export const runtimeVariants: readonly RuntimeVariant[] = [
  { rule: "AGF-IFACE-004", says: "does not look at the input", decisions: { checks: (what) => what === "output" } },
  {
    rule: "AGF-IFACE-004",
    name: "output",
    says: "does not look at the output",
    decisions: { checks: (what) => what === "input" },
  },
  {
    rule: "AGF-COMPAT-002",
    says: "leaves out a step that is not enabled",
    decisions: { isOn: ({ enabled }) => enabled !== false },
  },
  { rule: "AGF-ACT-008", says: "lets the model call whatever a server has", decisions: { exposed: (has) => has } },
  {
    rule: "AGF-ACT-008",
    name: "none",
    says: "lets the model call nothing of a server",
    decisions: { exposed: () => [] },
  },
  { rule: "AGF-PATH-007", says: "hands on null for what is not there", decisions: { nothing: () => null } },
  { rule: "AGF-PATH-008", says: "hands nothing to the agent of a route", decisions: { routeInput: () => ({}) } },
  {
    rule: "AGF-PATH-009",
    says: "writes the fields of a mapping in capitals",
    decisions: { field: (name) => name.toUpperCase() },
  },
  {
    rule: "AGF-POL-006",
    says: "takes a policy that it does not know for a sequence",
    decisions: { knowsPolicy: () => true },
  },
  {
    rule: "AGF-POL-009",
    says: "stops one call ahead of a limit",
    decisions: { exceeds: (what, amount, limit) => (what.endsWith("calls") ? amount >= limit : amount > limit) },
  },
  {
    rule: "AGF-REACT-003",
    says: "declines a setting that the model does not know",
    decisions: {
      settings(config, lacks) {
        const strange = lacks.find((name) => config[name] !== undefined);
        if (strange !== undefined) throw new RunError(`the model does not know ${strange}`);
        return right.settings(config, lacks);
      },
    },
  },
  { rule: "AGF-REACT-004", says: "lets the model go on for as long as it acts", decisions: { maxSteps: () => 1000 } },
  {
    rule: "AGF-REACT-004",
    name: "default",
    says: "has another default for max_steps",
    decisions: { maxSteps: ({ max_steps: max = 25 }) => Number(max) },
  },
  { rule: "AGF-REACT-005", says: "does not look at tool_choice", decisions: { toolChoice: () => "auto" } },
  {
    rule: "AGF-REACT-006",
    says: "leaves the placeholders of a template as they are",
    decisions: { prompt: (template, input) => template ?? right.prompt(template, input) },
  },
  {
    rule: "AGF-REACT-006",
    name: "bare",
    says: "says nothing of the input where there is no template",
    decisions: { prompt: (template, input) => (template === undefined ? "Begin." : right.prompt(template, input)) },
  },
  {
    rule: "AGF-SEQ-002",
    says: "begins at once with steps that need nothing of each other",
    decisions: { areAtOnce: (_, steps) => !JSON.stringify(steps).includes(".output.") },
  },
  {
    rule: "AGF-SEQ-002",
    name: "once",
    says: "takes one step for an agent that has two",
    decisions: { isOn: ({ agent }, index, steps) => steps.findIndex((each) => each.agent === agent) === index },
  },
  { rule: "AGF-PAR-002", says: "runs parallel agents one after the other", decisions: { areAtOnce: () => false } },
  {
    rule: "AGF-PAR-002",
    name: "pool",
    says: "runs eight parallel agents at once at most",
    decisions: { pool: () => 8 },
  },
  { rule: "AGF-LOOP-002", says: "does not look at the exit condition", decisions: { exits: () => false } },
  {
    rule: "AGF-LOOP-002",
    name: "late",
    says: "looks at the exit condition from the second round on",
    decisions: { exits: (holds, round) => holds && round > 1 },
  },
  {
    rule: "AGF-LOOP-003",
    says: "has another default for max_iterations",
    decisions: { maxIterations: ({ max_iterations: max = 3 }) => Number(max) },
  },
  {
    rule: "AGF-BATCH-003",
    says: "takes a max_batch_count of 0 for no item",
    decisions: { batchCount: (items, max) => Math.min(items, max) },
  },
  {
    rule: "AGF-BATCH-003",
    name: "unbounded",
    says: "does not look at max_batch_count",
    decisions: { batchCount: (items) => items },
  },
  { rule: "AGF-COND-002", says: "takes every route that matches", decisions: { taken: (matching) => matching } },
  {
    rule: "AGF-COND-002",
    name: "last",
    says: "takes the last route that matches",
    decisions: { taken: (matching) => matching.slice(-1) },
  },
  { rule: "AGF-COND-003", says: "ends without an output where no route matches", decisions: { unmatched: () => null } },
  {
    rule: "AGF-OUT-003",
    says: "takes the agent of the alias last for the strategy",
    decisions: { namedAgent: (agent) => (agent === "last" ? { strategy: agent } : { agent }) },
  },
  { rule: "AGF-OUT-005", says: "gives the first output by default", decisions: { strategy: () => "first" } },
  { rule: "AGF-OUT-006", says: "asks for transforms that there are not", decisions: { knowsTransform: () => true } },
  ...(["tokens", "time", "tool calls", "model calls", "depth"] as const).map(
    (limit): RuntimeVariant => ({
      rule: "AGF-CONS-002",
      name: limit.replace(" ", "-"),
      says: `does not look at the limit of ${limit}`,
      decisions: { exceeds: (what, amount, most) => what !== limit && amount > most },
    }),
  ),
  { rule: "AGF-MEM-002", says: "runs without a scope what needs memory", decisions: { needsScope: () => false } },
  {
    rule: "AGF-MEM-002",
    name: "forgetful",
    says: "has another memory in every run",
    decisions: {
      context: (scope) => `${scope}/${++drawn}`,
      childContext: (parent, strategy, alias) => right.childContext(parent?.replace(/\/\d+$/, ""), strategy, alias),
    },
  },
  { rule: "AGF-MEM-003", says: "runs nothing without a scope", decisions: { needsScope: () => true } },
  {
    rule: "AGF-MEM-004",
    says: "lets a sub-agent under isolated share the memory of its parent",
    decisions: {
      childContext: (parent, strategy, alias) =>
        right.childContext(parent, strategy === "isolated" ? "inherit" : strategy, alias),
    },
  },
  {
    rule: "AGF-MEM-004",
    name: "none",
    says: "gives memory to a sub-agent under none",
    decisions: {
      childContext: (parent, strategy, alias) =>
        right.childContext(parent, strategy === "none" ? "isolated" : strategy, alias),
    },
  },
  {
    rule: "AGF-APPR-002",
    says: "does not look at the approval of a server",
    decisions: { asks: (own, _, args) => right.asks(own, undefined, args) },
  },
  {
    rule: "AGF-APPR-003",
    says: "takes an approval without a condition for none",
    decisions: {
      asks: (own, inherited, args) => {
        const approval = own ?? inherited;
        const isBare = typeof approval === "object" && get(approval, "condition") === undefined;
        return !isBare && right.asks(own, inherited, args);
      },
    },
  },
  {
    rule: "AGF-APPR-004",
    says: "asks whatever the condition says",
    decisions: {
      asks: (own, inherited, args) => typeof (own ?? inherited) === "object" || right.asks(own, inherited, args),
    },
  },
  {
    rule: "AGF-APPR-005",
    says: "leaves the placeholders of a message as they are",
    decisions: { question: (template, name, args) => template ?? right.question(template, name, args) },
  },
  { rule: "AGF-APPR-007", says: "calls what was refused", decisions: { calls: () => true } },
  { rule: "AGF-GOV-002", says: "runs without a policy that is required", decisions: { needsPolicy: () => false } },
  ...conditionVariants,
  ...flowVariants,
  ...aliasVariants,
];

/** What a variant is called on the command line. */
export function nameOf({ rule, name }: RuntimeVariant): string {
  return `breaks-${rule}${name === undefined ? "" : `-${name}`}`;
}
