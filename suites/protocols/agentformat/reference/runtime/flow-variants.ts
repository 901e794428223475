import type { Json } from "../../../../../schemas/index.ts";
import { type Decisions, right } from "./decisions.ts";
import { get } from "./order.ts";
import type { RuntimeVariant } from "./variant.ts";

/** Remembers what a runtime should forget between its runs, for mistakes that differ from call to call. */
let drawn = 0;

const flow: readonly RuntimeVariant[] = [
  {
    rule: "AGF-LOOP-002",
    name: "step",
    says: "looks at the exit condition behind each step",
    decisions: { looksAtExit: (when) => when !== "before" },
  },
  {
    rule: "AGF-LOOP-002",
    name: "before",
    says: "looks at the exit condition ahead of a round",
    decisions: { looksAtExit: (when) => when === "before" },
  },
  {
    rule: "AGF-LOOP-002",
    name: "default",
    says: "has another default for max_iterations beside an exit condition",
    decisions: {
      maxIterations: ({ max_iterations: max, exit_condition: exit }) => Number(max ?? (exit === undefined ? 10 : 11)),
    },
  },
  {
    rule: "AGF-LOOP-002",
    name: "once-more",
    says: "goes on for a round after its exit condition matches",
    decisions: exitsLate(),
  },
  {
    rule: "AGF-LOOP-003",
    name: "capped",
    says: "makes ten rounds at most",
    decisions: { maxIterations: ({ max_iterations: max = 10 }) => Math.min(Number(max), 10) },
  },
  {
    rule: "AGF-LOOP-003",
    name: "late",
    says: "makes one round more than max_iterations",
    decisions: {
      maxIterations: (config) => right.maxIterations(config) + (config.exit_condition === undefined ? 1 : 0),
    },
  },
  {
    rule: "AGF-BATCH-003",
    name: "late",
    says: "works on one item more than max_batch_count",
    decisions: { batchCount: (items, max) => (max === 0 ? items : Math.min(items, max + 1)) },
  },
  {
    rule: "AGF-BATCH-003",
    name: "capped",
    says: "works on ten items at most",
    decisions: { batchCount: (items, max) => Math.min(right.batchCount(items, max), 10) },
  },
  {
    rule: "AGF-REACT-004",
    name: "late",
    says: "lets the model act once more than max_steps",
    decisions: { maxSteps: (config) => right.maxSteps(config) + 1 },
  },
  {
    rule: "AGF-POL-009",
    name: "steps",
    says: "ends one round ahead of max_steps",
    // With one more request for its answer it would be within its rights.
    decisions: { maxSteps: (config) => Math.max(1, right.maxSteps(config) - 1), asksAtLast: () => false },
  },
  {
    rule: "AGF-POL-009",
    name: "capped",
    says: "lets the model act ten times at most",
    decisions: { maxSteps: (config) => Math.min(10, right.maxSteps(config)), asksAtLast: () => false },
  },
  {
    rule: "AGF-CONS-002",
    name: "bundled",
    says: "counts several tool calls of one answer as one",
    decisions: { countsEach: () => false },
  },
  {
    rule: "AGF-CONS-002",
    name: "tokens-late",
    says: "looks at the budget of tokens a call late",
    decisions: late("tokens"),
  },
  {
    rule: "AGF-CONS-002",
    name: "tool-calls-late",
    says: "makes one tool call more than its limit",
    decisions: late("tool calls"),
  },
  {
    rule: "AGF-CONS-002",
    name: "model-calls-late",
    says: "makes one call of the model more than its limit",
    decisions: late("model calls"),
  },
];

/** A limit that is passed by one call. Tokens come by the dozen. */
function late(kind: "tokens" | "tool calls" | "model calls"): Partial<Decisions> {
  const by = kind === "tokens" ? 60 : 1;
  return { exceeds: (what, amount, limit) => amount > (what === kind ? limit + by : limit) };
}

/** An exit that was due a round ago. */
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

const data: readonly RuntimeVariant[] = [
  {
    rule: "AGF-PATH-009",
    name: "falsy",
    says: "leaves out fields of 0, false and empty text",
    decisions: { handedOn: (value) => (value === 0 || value === false || value === "" ? undefined : value) },
  },
  {
    rule: "AGF-PATH-009",
    name: "texts",
    says: "hands on numbers as texts",
    decisions: { handedOn: (value) => (typeof value === "number" ? String(value) : value) },
  },
  {
    rule: "AGF-OUT-002",
    says: "does not mind capitals in a strategy",
    decisions: { isStrategy: (text) => right.isStrategy(text.toLowerCase()) },
  },
  {
    rule: "AGF-OUT-002",
    name: "alias",
    says: "takes the text last for an alias",
    decisions: { isStrategy: () => false },
  },
  {
    rule: "AGF-OUT-005",
    name: "list",
    says: "merges outputs into a list",
    decisions: { merged: (results) => results.map(({ output }) => output) },
  },
  {
    rule: "AGF-OUT-005",
    name: "lossy",
    says: "merges the outputs of the first and the last agent alone",
    decisions: { merged: (results) => right.merged(results.filter((_, at) => at === 0 || at === results.length - 1)) },
  },
  {
    rule: "AGF-OUT-006",
    name: "last",
    says: "gives a transform the last output alone",
    decisions: { transformed: (results) => results.slice(-1) },
  },
  {
    rule: "AGF-OUT-006",
    name: "outputs",
    says: "does not look at the name behind the dot of a transform",
    decisions: { knowsTransform: (name, known) => known.some((each) => each.split(".")[0] === name.split(".")[0]) },
  },
  {
    rule: "AGF-ACT-008",
    name: "prefix",
    says: "lets pass what begins as an allowed name does",
    decisions: {
      exposed: (has, allowed) =>
        has.filter((name) => allowed === undefined || allowed.some((each) => name.startsWith(each))),
    },
  },
  {
    rule: "AGF-REACT-006",
    name: "signs",
    says: "takes signs in a value for those of what replaces text",
    decisions: {
      prompt(template, input) {
        if (template === undefined) return right.prompt(template, input);
        const names = typeof input === "object" && input !== null && !Array.isArray(input) ? Object.keys(input) : [];
        return names.reduce(
          (text, name) =>
            text.replaceAll(`{{${name}}}`, String(get(input, name)).replaceAll("%s", "").replaceAll("\\", "")),
          template,
        );
      },
    },
  },
  {
    rule: "AGF-MEM-004",
    name: "one-for-all",
    says: "has one memory for all sub-agents under isolated",
    decisions: {
      childContext: (parent, strategy, alias) =>
        right.childContext(parent, strategy, strategy === "isolated" ? "child" : alias),
    },
  },
  {
    rule: "AGF-MEM-004",
    name: "heir",
    says: "gives agents under inherit one memory that is not that of their parent",
    decisions: {
      childContext: (parent, strategy, alias) =>
        strategy === "inherit" && parent !== undefined
          ? `${parent}/children`
          : right.childContext(parent, strategy, alias),
    },
  },
  {
    rule: "AGF-MEM-004",
    name: "fresh",
    says: "gives a sub-agent under isolated another memory in every run",
    decisions: {
      childContext: (parent, strategy, alias) =>
        right.childContext(parent, strategy, strategy === "isolated" ? `${alias}/${++drawn}` : alias),
    },
  },
];

const consent: readonly RuntimeVariant[] = [
  {
    rule: "AGF-APPR-002",
    name: "agents",
    says: "does not look at the approval of sub-agents",
    // An approval that is an object is of another rule.
    decisions: { asksOfAgent: (approval, input) => approval !== true && right.asksOfAgent(approval, input) },
  },
  {
    rule: "AGF-APPR-003",
    name: "agents",
    says: "takes an approval of a sub-agent without a condition for none",
    decisions: { asksOfAgent: (approval) => approval === true },
  },
  {
    rule: "AGF-APPR-002",
    name: "once",
    says: "asks for consent to a tool once in a run",
    decisions: { remembersConsent: () => true },
  },
  {
    rule: "AGF-APPR-004",
    name: "around",
    says: "asks whatever the condition of a server says",
    decisions: {
      asks: (own, inherited, args) =>
        (own === undefined && get(inherited, "condition") !== undefined) || right.asks(own, inherited, args),
    },
  },
  {
    rule: "AGF-APPR-005",
    name: "once",
    says: "fills the first placeholder of a name alone",
    decisions: {
      question: (template, name, args) =>
        template === undefined
          ? right.question(template, name, args)
          : Object.entries(args).reduce(
              (text, [each, value]) => text.replace(`{{tool_args.${each}}}`, () => String(value as Json)),
              template,
            ),
    },
  },
];

/** Mistakes in what is called when, with what, and after which questions. */
export const flowVariants: readonly RuntimeVariant[] = [...flow, ...data, ...consent];
