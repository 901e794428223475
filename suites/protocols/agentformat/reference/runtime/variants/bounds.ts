import type { JsonObject } from "../../../../../../schemas/index.ts";
import { correctDecisions, type Decisions } from "../decisions.ts";
import { breaks, type RuntimeMistakes, type RuntimeVariant } from "../variant.ts";

/** Exceeds a limit by one call. A call of the model uses dozens of tokens. */
function exceedByOneCall(kind: "tokens" | "tool calls" | "model calls"): Partial<Decisions> {
  const overrun = kind === "tokens" ? 60 : 1;
  return { exceeds: (limitName, amount, limit) => amount > (limitName === kind ? limit + overrun : limit) };
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

/** Uses the scope of the latest run that had one. */
function keepScope(): Partial<Decisions> {
  let lastContext: string | undefined;
  return {
    context(scope) {
      lastContext = correctDecisions.context(scope);
      return lastContext;
    },
    contextless: () => lastContext,
    needsScope: (isRequired) => isRequired && lastContext === undefined,
  };
}

/** Keeps the messages of a run for later runs. */
function keepMessages(): Partial<Decisions> {
  let earlierMessages: JsonObject[] = [];
  return {
    opening(messages) {
      const allMessages = [...messages.slice(0, 1), ...earlierMessages, ...messages.slice(1)];
      // Keeps the list short over many runs.
      earlierMessages = [...earlierMessages, ...messages.slice(1)].slice(-200);
      return allMessages;
    },
  };
}

/** Gives an agent with this strategy the memory of the previous agent in the run. */
function inheritFromSibling(strategy: "inherit" | "none"): Partial<Decisions> {
  let last: string | undefined;
  return {
    context(scope) {
      last = undefined;
      return correctDecisions.context(scope);
    },
    childContext(parent, ownScope, alias) {
      const correctContext = correctDecisions.childContext(parent, ownScope, alias);
      const context = ownScope === strategy ? (last ?? correctContext) : correctContext;
      last = context ?? last;
      return context;
    },
  };
}

/** Runtimes that exceed the bounds of a run, or mix up memories. */
export const boundVariants: readonly RuntimeVariant[] = [
  ...breaks("AGF-CONS-002", {
    ...ignoredLimits,
    between: [
      "compares the time between two calls with the limit",
      { exceeds: (limitName, amount, limit, before) => (limitName === "time" ? amount - before : amount) > limit },
    ],
    bundled: ["counts several tool calls of one answer as one", { countsEveryToolCall: () => false }],
    "tokens-late": ["checks the token budget one call too late", exceedByOneCall("tokens")],
    "tool-calls-late": ["makes one tool call more than the limit", exceedByOneCall("tool calls")],
    "model-calls-late": ["makes one model call more than the limit", exceedByOneCall("model calls")],
  }),
  ...breaks("AGF-MEM-002", {
    "": ["runs an agent that requires memory without a scope", { needsScope: () => false }],
    forgetful: [
      "has a different memory in every run",
      () => {
        let runs = 0;
        return {
          context: (scope) => `${scope}/${++runs}`,
          childContext: (parent, strategy, alias) =>
            correctDecisions.childContext(parent?.replace(/\/\d+$/, ""), strategy, alias),
        };
      },
    ],
    kept: ["uses the scope of the previous run if there is none", keepScope],
    shared: ["has one memory for all scopes", { context: () => "memory" }],
    talkative: ["shows a model the messages of earlier runs", keepMessages],
  }),
  ...breaks("AGF-MEM-003", {
    "": ["declines every run without a scope", { needsScope: () => true }],
  }),
  ...breaks("AGF-MEM-004", {
    "": [
      "lets a sub-agent under isolated share the memory of its parent",
      {
        childContext: (parent, strategy, alias) =>
          correctDecisions.childContext(parent, strategy === "isolated" ? "inherit" : strategy, alias),
      },
    ],
    none: [
      "gives memory to a sub-agent under none",
      {
        childContext: (parent, strategy, alias) =>
          correctDecisions.childContext(parent, strategy === "none" ? "isolated" : strategy, alias),
      },
    ],
    "one-for-all": [
      "has one memory for all sub-agents under isolated",
      {
        childContext: (parent, strategy, alias) =>
          correctDecisions.childContext(parent, strategy, strategy === "isolated" ? "child" : alias),
      },
    ],
    heir: [
      "gives agents under inherit a shared memory that is not their parent's",
      {
        childContext: (parent, strategy, alias) =>
          strategy === "inherit" && parent !== undefined
            ? `${parent}/children`
            : correctDecisions.childContext(parent, strategy, alias),
      },
    ],
    scopeless: [
      "gives a sub-agent under isolated one memory for all scopes",
      {
        childContext: (parent, strategy, alias) =>
          correctDecisions.childContext(strategy === "isolated" && parent !== undefined ? "" : parent, strategy, alias),
      },
    ],
    sibling: ["gives an agent under inherit the memory of the previous agent", () => inheritFromSibling("inherit")],
    "none-sibling": ["gives an agent under none the memory of the previous agent", () => inheritFromSibling("none")],
    fresh: [
      "gives a sub-agent under isolated a different memory in every run",
      () => {
        let contexts = 0;
        return {
          childContext: (parent, strategy, alias) =>
            correctDecisions.childContext(parent, strategy, strategy === "isolated" ? `${alias}/${++contexts}` : alias),
        };
      },
    ],
  }),
];
