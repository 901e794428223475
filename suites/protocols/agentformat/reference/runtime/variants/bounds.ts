import type { JsonObject } from "../../../../../../schemas/index.ts";
import { type Decisions, rightDecisions } from "../decisions.ts";
import { breaks, type RuntimeMistakes, type RuntimeVariant } from "../variant.ts";

/** Exceeds a limit by one call. Tokens are counted in dozens. */
function countLate(kind: "tokens" | "tool calls" | "model calls"): Partial<Decisions> {
  const by = kind === "tokens" ? 60 : 1;
  return { exceeds: (limitName, amount, limit) => amount > (limitName === kind ? limit + by : limit) };
}

const limits = ["tokens", "time", "tool calls", "model calls", "depth"] as const;
const ignoredLimits: RuntimeMistakes = Object.fromEntries(
  limits.map((limit) => [
    limit.replace(" ", "-"),
    [
      `ignores the limit of ${limit}`,
      { exceeds: (limitName, amount, maximum) => limitName !== limit && amount > maximum },
    ],
  ]),
);

/** The scope of the latest run that had one. */
function keepScope(): Partial<Decisions> {
  let last: string | undefined;
  return {
    context(scope) {
      last = rightDecisions.context(scope);
      return last;
    },
    contextless: () => last,
    needsScope: (isRequired) => isRequired && last === undefined,
  };
}

/** Keeps the messages of a run for later ones. */
function keepMessages(): Partial<Decisions> {
  let before: JsonObject[] = [];
  return {
    opening(messages) {
      const all = [...messages.slice(0, 1), ...before, ...messages.slice(1)];
      // Keeps the list short over many runs.
      before = [...before, ...messages.slice(1)].slice(-200);
      return all;
    },
  };
}

/** Gives an agent with this strategy the memory of the agent called before it in the run. */
function inheritFromSibling(strategy: "inherit" | "none"): Partial<Decisions> {
  let last: string | undefined;
  return {
    context(scope) {
      last = undefined;
      return rightDecisions.context(scope);
    },
    childContext(parent, ownScope, alias) {
      const rightContext = rightDecisions.childContext(parent, ownScope, alias);
      const context = ownScope === strategy ? (last ?? rightContext) : rightContext;
      last = context ?? last;
      return context;
    },
  };
}

/** Runtimes that exceed the bounds of a run, or mix up memories. */
export const bounds: readonly RuntimeVariant[] = [
  ...breaks("AGF-CONS-002", {
    ...ignoredLimits,
    between: [
      "measures the time between two calls",
      { exceeds: (limitName, amount, limit, before) => (limitName === "time" ? amount - before : amount) > limit },
    ],
    bundled: ["counts several tool calls of one answer as one", { countsEach: () => false }],
    "tokens-late": ["checks the budget of tokens a call too late", countLate("tokens")],
    "tool-calls-late": ["makes one tool call more than its limit", countLate("tool calls")],
    "model-calls-late": ["makes one call of the model more than its limit", countLate("model calls")],
  }),
  ...breaks("AGF-MEM-002", {
    "": ["runs an agent that needs memory without a scope", { needsScope: () => false }],
    forgetful: [
      "has a different memory in every run",
      () => {
        let runs = 0;
        return {
          context: (scope) => `${scope}/${++runs}`,
          childContext: (parent, strategy, alias) =>
            rightDecisions.childContext(parent?.replace(/\/\d+$/, ""), strategy, alias),
        };
      },
    ],
    kept: ["uses the scope of the previous run if there is none", keepScope],
    shared: ["has one memory for all scopes", { context: () => "memory" }],
    talkative: ["shows a model the messages of earlier runs", keepMessages],
  }),
  ...breaks("AGF-MEM-003", {
    "": ["runs nothing without a scope", { needsScope: () => true }],
  }),
  ...breaks("AGF-MEM-004", {
    "": [
      "lets a sub-agent under isolated share the memory of its parent",
      {
        childContext: (parent, strategy, alias) =>
          rightDecisions.childContext(parent, strategy === "isolated" ? "inherit" : strategy, alias),
      },
    ],
    none: [
      "gives memory to a sub-agent under none",
      {
        childContext: (parent, strategy, alias) =>
          rightDecisions.childContext(parent, strategy === "none" ? "isolated" : strategy, alias),
      },
    ],
    "one-for-all": [
      "has one memory for all sub-agents under isolated",
      {
        childContext: (parent, strategy, alias) =>
          rightDecisions.childContext(parent, strategy, strategy === "isolated" ? "child" : alias),
      },
    ],
    heir: [
      "gives agents under inherit a common memory that is not their parent's",
      {
        childContext: (parent, strategy, alias) =>
          strategy === "inherit" && parent !== undefined
            ? `${parent}/children`
            : rightDecisions.childContext(parent, strategy, alias),
      },
    ],
    scopeless: [
      "gives a sub-agent under isolated one memory for all scopes",
      {
        childContext: (parent, strategy, alias) =>
          rightDecisions.childContext(strategy === "isolated" && parent !== undefined ? "" : parent, strategy, alias),
      },
    ],
    sibling: [
      "gives an agent under inherit the memory of the agent called before it",
      () => inheritFromSibling("inherit"),
    ],
    "none-sibling": [
      "gives an agent under none the memory of the agent called before it",
      () => inheritFromSibling("none"),
    ],
    fresh: [
      "gives a sub-agent under isolated a different memory in every run",
      () => {
        let contexts = 0;
        return {
          childContext: (parent, strategy, alias) =>
            rightDecisions.childContext(parent, strategy, strategy === "isolated" ? `${alias}/${++contexts}` : alias),
        };
      },
    ],
  }),
];
