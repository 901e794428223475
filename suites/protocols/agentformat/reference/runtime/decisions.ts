import { createHash } from "node:crypto";
import { isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import { evaluate } from "../../twin/evaluate.ts";
import { get, type LimitError, objects, RunError } from "./order.ts";

/** A result of a step, in the order of arrival. */
export interface StepOutput {
  name: string;
  output: Json;
}

/** The purpose of a condition: consent to a call, the end of a loop, or a route. */
export type ConditionUse = "approval" | "exit" | "when";

/** Decisions that a rule prescribes, or leaves open. A variant decides one of them wrongly, a choice otherwise. */
export interface Decisions {
  /** Which of input and output are held against their schemas. */
  checks(what: "input" | "output"): boolean;
  knowsPolicy(id: string): boolean;
  /** Whether a step is to be run, by its own members. */
  isOn(step: JsonObject, index: number, steps: readonly JsonObject[]): boolean;
  /** Why a document is not run at all; undefined if it is. */
  declined(document: JsonObject): string | undefined;
  /** Whether a condition matches. A path or argument that leads nowhere is absent from `args`. */
  matches(condition: Json, args: JsonObject, use: ConditionUse): boolean;
  /** The tools of a server, or skills of a remote agent, that may be called. */
  exposed(has: readonly string[], allowed: readonly string[] | undefined): readonly string[];
  /** Whether consent is to be asked for: by the approval of the tool itself, or by the one around it. */
  asks(own: Json | undefined, inherited: Json | undefined, args: JsonObject): boolean;
  /** Whether consent is asked for if a condition cannot be decided: an argument is missing, or of another type. */
  asksUnsure(): boolean;
  /** The same as `asks`, of a call of a sub-agent. */
  asksOfAgent(approval: Json | undefined, input: Json): boolean;
  /** Whether consent by an approval to one call, of a tool or an agent, holds for later calls of the same name. */
  remembersConsent(approval: Json | undefined, of: "tool" | "agent"): boolean;
  /** The question to a person. */
  question(template: string | undefined, name: string, args: JsonObject): string;
  /** Whether a call is made after this decision on consent; `place` is its place among the calls of one answer. */
  calls(granted: boolean, place: number): boolean;
  /** Whether consent is asked for, and the name looked at, for the call at such a place of an answer. */
  looksAt(what: "consent" | "name", place: number): boolean;
  /** The names of calls that a run has consent for when it begins. */
  consents(): Set<string>;
  /** Whether a governance policy that there is not prevents the run. */
  needsPolicy(isRequired: boolean): boolean;
  /** The result of a path that ends at a missing value. Throws a RunError if the run is to fail; undefined leaves out the field. */
  nothing(path: string): Json | undefined;
  /** The result of a refused call: the text that the model gets. Throws a RunError if the run is to fail. */
  refused(name: string): string;
  /** The model's result for a call of a tool that it does not have. Throws a RunError if the run is to fail. */
  unknownTool(name: string): string;
  /** The latest output of an agent, for one that has had another before. */
  recalled(before: Json | undefined, output: Json): Json;
  /** Whether a round of a loop knows the outputs of the rounds before. */
  keepsRounds(): boolean;
  /** The input of an item of a batch before its fields are filled in, behind the one before it. */
  batchInput(before: JsonObject): JsonObject;
  /** Input of the default agent, beside routes that do not match. */
  defaultInput(input: Json, map: () => Json): Json;
  /** Whether an output is one that a policy may put out. */
  isOutput(output: Json): boolean;
  /** Input of a step that has no mapping. */
  stepInput(input: Json): Json;
  /** The value that a mapping passes on for the result of its path. */
  handedOn(value: Json): Json | undefined;
  /** Input of a route's agent that has no mapping. */
  routeInput(input: Json): Json;
  /** Name of the field of the child's input that a mapping fills. */
  field(name: string): string;
  /** Whether so much is more than is allowed; `before` is how much it was at the call before. */
  exceeds(what: Limit, amount: number, limit: number, before: number): boolean;
  /** Whether each tool call of one answer counts, and not only the first. */
  countsEach(): boolean;
  /** The limits that a call of a kind counts for. */
  countsFor(kind: "tool calls" | "model calls"): readonly Limit[];
  /** How deep a delegation goes, after so many others of the run. */
  depthOf(before: number): number;
  /** Rounds that an answer with so many tool calls uses up. */
  roundsOf(calls: number): number;
  /** The value of an input or an output with a schema, as the run goes on with it. */
  faced(schema: Json | undefined, value: Json): Json;
  /** The output of a run that has reached a limit. Throws the error if the run is to end with it. */
  breached(error: LimitError): Json;
  /** Whether the model is asked for its answer when its rounds are over. */
  asksAtLast(): boolean;
  /** The output of a batch. */
  batched(outputs: Json[]): Json;
  /** Settings that are handed to the model. Throws a RunError for an important setting that it does not know. */
  settings(config: JsonObject, lacks: readonly string[]): JsonObject;
  maxSteps(config: JsonObject): number;
  toolChoice(config: JsonObject, round: number): string;
  /** Whether tools are called that the model was not offered. */
  callsUnoffered(): boolean;
  prompt(template: string | undefined, input: Json): string;
  /** The messages of the first request to the model. */
  opening(messages: JsonObject[]): JsonObject[];
  /** How many calls are under way at once at most. */
  pool(): number;
  /** Whether calls that a policy lists run at once. */
  areAtOnce(policy: "agf.sequential" | "agf.parallel", steps: readonly JsonObject[]): boolean;
  /** The order in which parallel agents are called. */
  parallelOrder(steps: readonly JsonObject[]): readonly JsonObject[];
  /** When the exit condition is looked at: ahead of a round, behind a step, behind a round. */
  looksAtExit(when: "before" | "step" | "after"): boolean;
  /** Whether the exit condition, which holds so, ends the loop after so many rounds. */
  exits(holds: boolean, round: number): boolean;
  maxIterations(config: JsonObject): number;
  batchCount(items: number, max: number): number;
  /** Whether a batch works on an item, behind others. */
  worksOn(item: Json, before: readonly Json[]): boolean;
  /** Whether the items of a batch are worked on at once. */
  isBatchAtOnce(): boolean;
  /** Positions of the chosen routes among the matching ones. */
  taken(matching: readonly number[]): readonly number[];
  /** The result if no route matches and there is no default. */
  unmatched(): Json;
  /** Which output a policy has by default. */
  strategy(policy: string): "last" | "merge" | "first";
  /** Whether an output_from that is text names a strategy, where these aliases are declared. */
  isStrategy(text: string, aliases: readonly string[]): boolean;
  /** One output of several. Throws a RunError if the run is to fail. */
  merged(results: readonly StepOutput[]): Json;
  /** The outputs that a transform is given. */
  transformed(results: readonly StepOutput[]): readonly StepOutput[];
  /** The alias that an output_from names as an object. */
  namedAgent(name: string): { agent: string } | { strategy: string };
  knowsTransform(name: string, known: readonly string[]): boolean;
  /** Whether a run without a scope is declined. */
  needsScope(isRequired: boolean): boolean;
  /** The memory context of a scope. */
  context(scope: string): string;
  /** The memory context of a run without a scope. */
  contextless(): string | undefined;
  /** The memory context of a sub-agent. */
  childContext(parent: string | undefined, strategy: string, alias: string): string | undefined;
}

export type Limit = "tokens" | "time" | "tool calls" | "model calls" | "depth";

const policies = ["agf.react", "agf.sequential", "agf.parallel", "agf.loop", "agf.batch", "agf.conditional"];

function deriveId(...parts: string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
}

/** The decisions that the rules demand. */
export const rightDecisions: Decisions = {
  checks: () => true,
  knowsPolicy: (id) => policies.includes(id),
  isOn: () => true,
  declined: (document) => {
    const twice = repeatedAlias(document);
    return twice === undefined ? undefined : `the alias ${twice} is given twice`;
  },
  matches: (condition, args) => evaluate(condition, args).holds,
  exposed: (has, allowed) => has.filter((name) => allowed === undefined || allowed.includes(name)),
  asks(own, inherited, args) {
    const approval = own ?? inherited ?? false;
    if (typeof approval === "boolean") return approval;
    const condition = get(approval, "condition");
    if (condition === undefined || this.matches(condition, args, "approval")) return true;
    return this.asksUnsure() && evaluate(condition, args).isOpen;
  },
  asksUnsure: () => true,
  asksOfAgent(approval, input) {
    return this.asks(approval, undefined, isObject(input) ? input : {});
  },
  remembersConsent: () => false,
  question: (template, name, args) =>
    template === undefined
      ? `May ${name} be called with ${JSON.stringify(args)}?`
      : template.replace(/\{\{tool_args\.(\w+)\}\}/g, (_, each: string) => String(get(args, each) ?? "")),
  calls: (granted) => granted,
  looksAt: () => true,
  consents: () => new Set(),
  needsPolicy: (isRequired) => isRequired,
  nothing(path) {
    throw new RunError(`${path} leads nowhere`);
  },
  refused: (name) => `${name} was refused`,
  unknownTool: (name) => `there is no tool ${name}`,
  recalled: (_, output) => output,
  keepsRounds: () => true,
  batchInput: () => ({}),
  defaultInput: (input) => input,
  isOutput: () => true,
  stepInput: (input) => input,
  handedOn: (value) => value,
  routeInput: (input) => input,
  field: (name) => name,
  exceeds: (_, amount, limit) => amount > limit,
  countsEach: () => true,
  countsFor: (kind) => [kind],
  depthOf: () => 1,
  roundsOf: () => 1,
  faced: (_, value) => value,
  breached(error) {
    throw error;
  },
  asksAtLast: () => false,
  batched: (outputs) => outputs,
  settings: (config) =>
    Object.fromEntries(
      ["provider", "model", "temperature", "top_p", "top_k", "max_output_tokens", "stop_sequences"].flatMap((name) => {
        const value = get(config, name);
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  maxSteps: (config) => Number(config.max_steps ?? 10),
  toolChoice: (config) => String(config.tool_choice ?? "auto"),
  callsUnoffered: () => false,
  prompt: (template, input) =>
    template === undefined
      ? JSON.stringify(input)
      : template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
          const value = get(input, name);
          return typeof value === "string" ? value : JSON.stringify(value ?? "");
        }),
  opening: (messages) => messages,
  areAtOnce: (policy) => policy === "agf.parallel",
  parallelOrder: (steps) => steps,
  pool: () => Number.POSITIVE_INFINITY,
  looksAtExit: (when) => when === "after",
  exits: (holds) => holds,
  maxIterations: (config) => Number(config.max_iterations ?? 10),
  batchCount: (items, max) => (max === 0 ? items : Math.min(items, max)),
  worksOn: () => true,
  isBatchAtOnce: () => false,
  taken: (matching) => matching.slice(0, 1),
  unmatched() {
    throw new RunError("no route matches, and there is no default_agent");
  },
  strategy: (policy) => (policy === "agf.parallel" ? "merge" : "last"),
  isStrategy: (text) => ["last", "merge", "first"].includes(text),
  merged: (results) => Object.assign({}, ...results.map(({ output }) => output)) as JsonObject,
  transformed: (results) => results,
  namedAgent: (agent) => ({ agent }),
  knowsTransform: (name, known) => known.includes(name),
  needsScope: (isRequired) => isRequired,
  context: (scope) => deriveId(scope),
  contextless: () => undefined,
  childContext(parent, strategy, alias) {
    if (parent === undefined || strategy === "none") return undefined;
    return strategy === "isolated" ? deriveId(parent, alias) : parent;
  },
};

/** An alias that a list of the action space has twice. */
function repeatedAlias({ action_space: space }: JsonObject): Json | undefined {
  return ["local_tools", "mcp_servers", "local_agents", "remote_agents"]
    .flatMap((list) => {
      const aliases = objects(get(space, list)).map(({ alias }) => alias ?? null);
      return aliases.filter((alias, index) => aliases.indexOf(alias) < index);
    })
    .at(0);
}

/** Names that a list allows, alone or with an approval; undefined if there is no list. */
export function allowedIn(entry: JsonObject): string[] | undefined {
  return refsIn(entry)?.map(nameOfRef);
}

/** The further members of a name's entry in a list. */
export function refNamed(entry: JsonObject, name: string): Json | undefined {
  return refsIn(entry)?.find((each) => nameOfRef(each) === name);
}

function refsIn({ allowed_tools: tools, allowed_skills: skills }: JsonObject): Json[] | undefined {
  const list = tools ?? skills;
  return Array.isArray(list) ? list : undefined;
}

function nameOfRef(ref: Json): string {
  return String(typeof ref === "string" ? ref : (get(ref, "name") ?? get(ref, "id")));
}
