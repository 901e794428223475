import type { Json, JsonObject, LiveChoice } from "../../../../../schemas/index.ts";
import { type Decisions, right } from "./decisions.ts";
import { get, inner, objects, RunError } from "./order.ts";

/** How the messages of a runtime come, whatever they say. */
export interface Manners {
  /** How often it is listened to in vain ahead of each of the first messages of a run. */
  late: number;
  /** Its call-backs have ids that are texts, in no order. */
  hasTextIds: boolean;
  /** Its messages have members that the binding does not have. */
  hasMore: boolean;
  /** It gives one message each time that it is listened to. */
  isSingle: boolean;
  /** Its clock can be moved, and the limit of time goes by another. */
  hasOwnTime: boolean;
}

export const usualManners: Manners = { late: 0, hasTextIds: false, hasMore: false, isSingle: false, hasOwnTime: false };

/** A choice, and what makes it. */
export interface RuntimeChoice extends LiveChoice {
  decisions?: Partial<Decisions>;
  manners?: Partial<Manners>;
}

type Conduct = Omit<RuntimeChoice, "kind">;

const policies: readonly Conduct[] = (
  [
    ["lacks-react", "agf.react"],
    ["lacks-sequence", "agf.sequential"],
    ["lacks-parallel", "agf.parallel"],
    ["lacks-loop", "agf.loop"],
    ["lacks-batch", "agf.batch"],
    ["lacks-routes", "agf.conditional"],
  ] as const
).map(([name, lacking]) => ({
  name,
  factor: "policies",
  freedoms: ["unsupported-policies"],
  says: `does not support ${lacking}`,
  decisions: { knowsPolicy: (id) => id !== lacking && right.knowsPolicy(id) },
}));

const endings: readonly Conduct[] = [
  {
    name: "leaves-fields-out",
    freedoms: ["unresolved-path"],
    says: "calls a child without a field whose path leads nowhere",
    decisions: { nothing: () => undefined },
  },
  {
    name: "ends-with-what-there-is",
    freedoms: ["breach-ends"],
    says: "ends a run that reaches a limit without an error",
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
    says: "ends a run in an error if a call is refused",
    decisions: {
      refused: (name) => {
        throw new RunError(`the call of ${name} was refused`);
      },
    },
  },
  {
    name: "fails-at-unknown-tools",
    freedoms: [],
    says: "ends a run in an error if the model calls a tool that it does not have",
    decisions: {
      unknownTool: (name) => {
        throw new RunError(`there is no tool ${name}`);
      },
    },
  },
];

const documents: readonly Conduct[] = [
  {
    name: "refuses-reserved-aliases",
    factor: "refuses",
    freedoms: ["act-011"],
    says: "declines a document with an alias that is a word of the language",
    decisions: {
      declined: (document) =>
        objects(inner(document, "action_space").local_agents).some(({ alias }) =>
          ["parent", "last", "first", "merge"].includes(String(alias)),
        )
          ? "an alias is a word of the language"
          : right.declined(document),
    },
  },
  {
    name: "refuses-empty-tests",
    factor: "refuses",
    freedoms: ["match-010"],
    says: "declines a document with a group that has no args_match, or an operator that has nothing",
    decisions: {
      declined: (document) =>
        /"(?:in|not_in)":\[\]|"(?:when|condition|exit_condition)":\{\}/.test(JSON.stringify(document))
          ? "a test is empty"
          : right.declined(document),
    },
  },
  {
    name: "refuses-odd-strategies",
    factor: "refuses",
    freedoms: ["strategy-elsewhere"],
    says: "declines first and merge outside of a parallel policy",
    decisions: {
      declined(document) {
        const policy = inner(document, "execution_policy");
        const from = get(inner(policy, "config"), "output_from");
        const strategy = typeof from === "string" ? from : get(from, "strategy");
        const isOdd = policy.id !== "agf.parallel" && (strategy === "first" || strategy === "merge");
        return isOdd ? `${strategy} means nothing here` : right.declined(document);
      },
    },
  },
];

const outputs: readonly Conduct[] = [
  {
    name: "counts-batches",
    factor: "batch-output",
    freedoms: ["batch-output"],
    says: "gives the outputs of a batch in an object",
    decisions: { batched: (all) => ({ count: all.length, outputs: all }) },
  },
  {
    name: "gives-last-of-batch",
    factor: "batch-output",
    freedoms: ["batch-output"],
    says: "gives the last output of a batch",
    decisions: { batched: (all) => all.at(-1) ?? null },
  },
  {
    name: "merges-by-alias",
    factor: "merges",
    freedoms: ["merge-keyed"],
    says: "gives each output of a merge under the alias of its agent",
    decisions: { merged: (results) => Object.fromEntries(results.map(({ name, output }) => [name, output])) },
  },
  {
    name: "fails-at-collisions",
    factor: "merges",
    freedoms: ["merge-collisions"],
    says: "ends a run where outputs to be merged share a member",
    decisions: {
      merged(results) {
        const names = results.flatMap(({ output }) => Object.keys((output ?? {}) as JsonObject));
        if (new Set(names).size < names.length) throw new RunError("two outputs have the same member");
        return right.merged(results);
      },
    },
  },
];

const calls: readonly Conduct[] = [
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
    says: "works on all items of a batch at once",
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
    says: "takes an empty list of allowed tools for none at all",
    decisions: { exposed: (has, allowed) => right.exposed(has, allowed?.length === 0 ? undefined : allowed) },
  },
];

const models: readonly Conduct[] = [
  {
    name: "sends-model-alone",
    factor: "settings",
    freedoms: ["top-k"],
    says: "sends no setting to the model",
    decisions: { settings: ({ model = "small-1" }) => ({ model }) },
  },
  {
    name: "overrides-hints",
    factor: "settings",
    freedoms: [],
    says: "has a model and a temperature of its own",
    decisions: {
      settings: (config, lacks) => ({ ...right.settings(config, lacks), model: "house-1", temperature: 0.5 }),
    },
  },
  {
    name: "leaves-out-what-models-lack",
    factor: "settings",
    freedoms: ["top-k"],
    says: "leaves out a setting that the model does not know",
    decisions: {
      settings: (config, lacks) =>
        Object.fromEntries(Object.entries(right.settings(config, lacks)).filter(([name]) => !lacks.includes(name))),
    },
  },
  {
    name: "writes-prompts",
    freedoms: [],
    says: "makes sentences of an input without a template",
    decisions: {
      prompt(template, input) {
        if (template !== undefined) return right.prompt(template, input);
        const lines = Object.entries((input ?? {}) as JsonObject).map(
          ([name, value]) => `${name} is ${sayable(value)}`,
        );
        return ["Here is the request.", ...lines].join("\n");
      },
    },
  },
];

const sayable = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

const consent: readonly Conduct[] = [
  {
    name: "asks-where-either-demands",
    factor: "asks",
    freedoms: ["appr-own-under-inherited"],
    says: "asks for consent where the tool's own condition or that of its server matches",
    decisions: {
      asks(own, inherited, args) {
        const isEither = typeof own === "object" && typeof inherited === "object";
        const demands = (approval: Json | undefined): boolean => right.asks(approval, undefined, args);
        return isEither ? demands(own) || demands(inherited) : right.asks.call(this, own, inherited, args);
      },
    },
  },
  {
    name: "asks-politely",
    freedoms: [],
    says: "puts words of its own around the message of an approval",
    decisions: {
      question: (template, name, args) => `Your consent is needed.\n${right.question(template, name, args)}\n(yes/no)`,
    },
  },
  {
    name: "asks-when-in-doubt",
    factor: "asks",
    freedoms: ["match-008"],
    says: "asks for consent where an argument is missing or of another type",
    decisions: {
      asks(own, inherited, args) {
        const condition = get(own ?? inherited, "condition");
        const groups = condition === undefined ? [] : objects(Array.isArray(condition) ? condition : [condition]);
        const names = groups.flatMap((group) => Object.keys(inner(group, "args_match")));
        const isOpen = names.some((name) => args[name] === undefined);
        return isOpen || right.asks.call(this, own, inherited, args);
      },
    },
  },
  {
    name: "matches-nothing-missing",
    freedoms: ["match-008"],
    says: "lets no test match a value that is missing",
    decisions: {
      matches: (condition, args, use) => right.matches(present(condition, args), args, use),
    },
  },
];

/** The condition without the groups that look at a value that is not there; one that holds for nothing if none is left. */
function present(condition: Json, args: JsonObject): Json {
  const groups = objects(Array.isArray(condition) ? condition : [condition]);
  const left = groups.filter((group) => Object.keys(inner(group, "args_match")).every((name) => name in args));
  return left.length === 0 ? { args_match: { "": { gt: 0 } } } : left;
}

const memory: readonly Conduct[] = [
  {
    name: "remembers-strangers",
    factor: "stateless",
    freedoms: ["stateless-memory"],
    says: "gives some memory to a run without a scope",
    decisions: { contextless: () => "anonymous" },
  },
  {
    name: "spells-contexts-out",
    freedoms: [],
    says: "has memory contexts that can be read",
    decisions: {
      context: (scope) => `scope:${scope}`,
      childContext(parent, strategy, alias) {
        if (parent === undefined || strategy === "none") return undefined;
        return strategy === "isolated" ? `${parent}/agents/${alias}` : parent;
      },
    },
  },
];

const tempo: readonly RuntimeChoice[] = (
  [
    ["late-0-1s", 1, "0.1 s"],
    ["late-1s", 4, "1 s"],
    ["late-3s", 10, "3 s"],
  ] as const
).map(([name, late, time]) => ({
  name,
  kind: "tempo",
  factor: "late",
  freedoms: [],
  says: `takes some ${time} for each of its first calls, on a clock of its own that runs faster`,
  manners: { late },
}));

const ways: readonly RuntimeChoice[] = [
  {
    name: "text-ids",
    kind: "transport",
    freedoms: [],
    says: "has call-backs whose ids are texts, in no order",
    manners: { hasTextIds: true },
  },
  {
    name: "more-members",
    kind: "transport",
    freedoms: [],
    says: "has members in its messages that the binding does not have",
    manners: { hasMore: true },
  },
  {
    name: "one-at-a-time",
    kind: "transport",
    freedoms: [],
    says: "gives one message each time that it is listened to",
    manners: { isSingle: true },
  },
  {
    name: "own-time",
    kind: "tempo",
    freedoms: [],
    says: "has a limit of time that its clock hook does not move",
    manners: { hasOwnTime: true },
  },
];

const conduct = [...policies, ...endings, ...documents, ...outputs, ...calls, ...models, ...consent, ...memory];

/** All that a right runtime may do otherwise than the reference; those of one factor exclude each other. */
export const runtimeChoices: readonly RuntimeChoice[] = [
  ...conduct.map((each): RuntimeChoice => ({ ...each, kind: "freedom" })),
  ...tempo,
  ...ways,
];
