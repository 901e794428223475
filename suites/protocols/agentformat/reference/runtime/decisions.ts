import { createHash } from "node:crypto";
import { isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import { evaluate } from "../../twin/evaluate.ts";
import { get, type LimitError, objects, RunError } from "./order.ts";

/** The result of a step, in order of arrival. */
export interface StepOutput {
  name: string;
  output: Json;
}

/** The purpose of a condition: consent to a call, the end of a loop, or a route. */
export type ConditionUse = "approval" | "exit" | "when";

/** The decisions of a runtime. A variant makes one decision wrongly. A choice makes one differently, as the rules permit. */
export interface Decisions {
  /** Whether the input or the output is checked against its schema. */
  checks(subject: "input" | "output"): boolean;
  knowsPolicy(id: string): boolean;
  /** Whether a step is enabled, according to its own members. */
  isEnabled(step: JsonObject, index: number, steps: readonly JsonObject[]): boolean;
  /** The reason to decline a document; undefined if it is run. */
  reasonToDecline(document: JsonObject): string | undefined;
  /** Whether a condition matches. A path or argument without a value is absent from `args`. */
  matches(condition: Json, args: JsonObject, use: ConditionUse): boolean;
  /** The callable tools of a server, or skills of a remote agent. */
  exposedNames(availableNames: readonly string[], allowedNames: readonly string[] | undefined): readonly string[];
  /** Whether to ask for consent, given the approval of the tool itself and the inherited one. */
  asksForConsent(ownApproval: Json | undefined, inheritedApproval: Json | undefined, args: JsonObject): boolean;
  /** Whether to ask for consent if a condition cannot be decided because an argument is missing or of another type. */
  asksIfUndecided(): boolean;
  /** Like `asksForConsent`, for a call of a sub-agent. */
  asksForAgentConsent(approval: Json | undefined, input: Json): boolean;
  /** Whether consent to one call, of a tool or an agent, is also valid for later calls with the same name. */
  remembersConsent(approval: Json | undefined, subject: "tool" | "agent"): boolean;
  /** The message that asks a person for consent. */
  consentMessage(template: string | undefined, name: string, args: JsonObject): string;
  /** Whether a call is made after this decision on consent; `callIndex` is its index among the calls of one answer. */
  isCallMade(isGranted: boolean, callIndex: number): boolean;
  /** Whether consent, or the name, is checked for the call with this index in an answer. */
  isChecked(subject: "consent" | "name", callIndex: number): boolean;
  /** The names of tools and agents that have consent when a run begins. */
  initialConsents(): Set<string>;
  /** Whether a missing governance policy prevents the run. */
  needsPolicy(isRequired: boolean): boolean;
  /** The value for a path that has none; undefined omits the field. Throws a RunError to end the run. */
  missingValue(path: string): Json | undefined;
  /** The text for the model after a refused call. Throws a RunError to end the run. */
  textAfterRefusal(name: string): string;
  /** The text for the model after a call of an unknown tool. Throws a RunError to end the run. */
  unknownTool(name: string): string;
  /** The stored output of an agent that had an earlier one. */
  rememberedOutput(before: Json | undefined, output: Json): Json;
  /** Whether a round of a loop can use the outputs of earlier rounds. */
  keepsRounds(): boolean;
  /** The input of a batch item before its fields are filled in, given the previous item. */
  batchInput(before: JsonObject): JsonObject;
  /** The input of the default agent, if no route matches. */
  defaultInput(input: Json, map: () => Json): Json;
  /** Whether a policy may return this output. */
  isOutput(output: Json): boolean;
  /** The input of a step without a mapping. */
  stepInput(input: Json): Json;
  /** The value that a mapping passes on, given the value of its path; undefined omits the field. */
  passedValue(value: Json): Json | undefined;
  /** The input of a route's agent without a mapping. */
  routeInput(input: Json): Json;
  /** The name of the field that a mapping fills in the child's input. */
  field(name: string): string;
  /** Whether an amount exceeds its limit; `before` is the amount at the previous call. */
  exceeds(subject: Limit, amount: number, limit: number, before: number): boolean;
  /** Whether each tool call of one answer counts, instead of only the first. */
  countsEveryToolCall(): boolean;
  /** The limits for which a kind of call counts. */
  countsFor(kind: "tool calls" | "model calls"): readonly Limit[];
  /** The depth of a delegation, after this many others in the run. */
  depthOf(before: number): number;
  /** The number of rounds that an answer with these tool calls uses. */
  roundsOf(calls: number): number;
  /** The value that a run uses in place of an input or an output, given its schema. */
  interfaceValue(schema: Json | undefined, value: Json): Json;
  /** The output of a run that has reached a limit. Throws the error to fail the run. */
  outputAtLimit(error: LimitError): Json;
  /** Whether the model is asked for a final answer after its last round. */
  asksForFinalAnswer(): boolean;
  /** The output of a batch. */
  batchOutput(outputs: Json[]): Json;
  /** The settings for the model. Throws a RunError if the model does not support an important one. */
  settings(config: JsonObject, unsupportedNames: readonly string[]): JsonObject;
  maxSteps(config: JsonObject): number;
  toolChoice(config: JsonObject, round: number): string;
  /** Whether tools can be called that were not offered to the model. */
  callsUnoffered(): boolean;
  prompt(template: string | undefined, input: Json): string;
  /** The messages of the first request to the model. */
  opening(messages: JsonObject[]): JsonObject[];
  /** The maximum number of simultaneous calls. */
  poolSize(): number;
  /** Whether the calls in a policy's list run simultaneously. */
  runsConcurrently(policy: "agf.sequential" | "agf.parallel", steps: readonly JsonObject[]): boolean;
  /** The order of calls to parallel agents. */
  parallelOrder(steps: readonly JsonObject[]): readonly JsonObject[];
  /** Whether the exit condition is checked at a moment: before a round, after a step, or after a round. */
  checksExit(moment: "before" | "step" | "after"): boolean;
  /** Whether the exit condition, with this result, ends the loop after this many rounds. */
  exits(holds: boolean, round: number): boolean;
  maxIterations(config: JsonObject): number;
  batchCount(items: number, max: number): number;
  /** Whether a batch processes an item, given the items before it. */
  processesItem(item: Json, before: readonly Json[]): boolean;
  /** Whether the items of a batch are processed simultaneously. */
  runsBatchConcurrently(): boolean;
  /** The indices of the chosen routes, given those of the matching ones. */
  chosenRoutes(matching: readonly number[]): readonly number[];
  /** The result if no route matches and there is no default. */
  outputWithoutRoute(): Json;
  /** The default output of a policy. */
  strategy(policy: string): "last" | "merge" | "first";
  /** Whether a string as output_from names a strategy, given the declared aliases. */
  isStrategy(text: string, aliases: readonly string[]): boolean;
  /** One output from several. Throws a RunError to end the run. */
  mergeOutputs(results: readonly StepOutput[]): Json;
  /** The outputs that a transform receives. */
  transformInputs(results: readonly StepOutput[]): readonly StepOutput[];
  /** The source of the output if output_from is an object with this agent. */
  namedAgent(name: string): { agent: string } | { strategy: string };
  knowsTransform(name: string, knownNames: readonly string[]): boolean;
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

/** The decisions that the rules require. */
export const correctDecisions: Decisions = {
  checks: () => true,
  knowsPolicy: (id) => policies.includes(id),
  isEnabled: () => true,
  reasonToDecline: (document) => {
    const repeated = repeatedAlias(document);
    return repeated === undefined ? undefined : `the alias ${repeated} is repeated`;
  },
  matches: (condition, args) => evaluate(condition, args).holds,
  exposedNames: (availableNames, allowedNames) =>
    availableNames.filter((name) => allowedNames === undefined || allowedNames.includes(name)),
  asksForConsent(ownApproval, inheritedApproval, args) {
    const approval = ownApproval ?? inheritedApproval ?? false;
    if (typeof approval === "boolean") return approval;
    const condition = get(approval, "condition");
    if (condition === undefined || this.matches(condition, args, "approval")) return true;
    return this.asksIfUndecided() && evaluate(condition, args).isOpen;
  },
  asksIfUndecided: () => true,
  asksForAgentConsent(approval, input) {
    return this.asksForConsent(approval, undefined, isObject(input) ? input : {});
  },
  remembersConsent: () => false,
  consentMessage: (template, name, args) =>
    template === undefined
      ? `May ${name} be called with ${JSON.stringify(args)}?`
      : template.replace(/\{\{tool_args\.(\w+)\}\}/g, (_, argument: string) => String(get(args, argument) ?? "")),
  isCallMade: (isGranted) => isGranted,
  isChecked: () => true,
  initialConsents: () => new Set(),
  needsPolicy: (isRequired) => isRequired,
  missingValue(path) {
    throw new RunError(`${path} has no value`);
  },
  textAfterRefusal: (name) => `${name} was refused`,
  unknownTool: (name) => `there is no tool ${name}`,
  rememberedOutput: (_, output) => output,
  keepsRounds: () => true,
  batchInput: () => ({}),
  defaultInput: (input) => input,
  isOutput: () => true,
  stepInput: (input) => input,
  passedValue: (value) => value,
  routeInput: (input) => input,
  field: (name) => name,
  exceeds: (_, amount, limit) => amount > limit,
  countsEveryToolCall: () => true,
  countsFor: (kind) => [kind],
  depthOf: () => 1,
  roundsOf: () => 1,
  interfaceValue: (_, value) => value,
  outputAtLimit(error) {
    throw error;
  },
  asksForFinalAnswer: () => false,
  batchOutput: (outputs) => outputs,
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
  runsConcurrently: (policy) => policy === "agf.parallel",
  parallelOrder: (steps) => steps,
  poolSize: () => Number.POSITIVE_INFINITY,
  checksExit: (moment) => moment === "after",
  exits: (holds) => holds,
  maxIterations: (config) => Number(config.max_iterations ?? 10),
  batchCount: (items, max) => (max === 0 ? items : Math.min(items, max)),
  processesItem: () => true,
  runsBatchConcurrently: () => false,
  chosenRoutes: (matching) => matching.slice(0, 1),
  outputWithoutRoute() {
    throw new RunError("no route matches, and there is no default_agent");
  },
  strategy: (policy) => (policy === "agf.parallel" ? "merge" : "last"),
  isStrategy: (text) => ["last", "merge", "first"].includes(text),
  mergeOutputs: (results) => Object.assign({}, ...results.map(({ output }) => output)) as JsonObject,
  transformInputs: (results) => results,
  namedAgent: (agent) => ({ agent }),
  knowsTransform: (name, knownNames) => knownNames.includes(name),
  needsScope: (isRequired) => isRequired,
  context: (scope) => deriveId(scope),
  contextless: () => undefined,
  childContext(parent, strategy, alias) {
    if (parent === undefined || strategy === "none") return undefined;
    return strategy === "isolated" ? deriveId(parent, alias) : parent;
  },
};

/** An alias that occurs twice in a list of the action space. */
function repeatedAlias({ action_space: actionSpace }: JsonObject): Json | undefined {
  return ["local_tools", "mcp_servers", "local_agents", "remote_agents"]
    .flatMap((list) => {
      const aliases = objects(get(actionSpace, list)).map(({ alias }) => alias ?? null);
      return aliases.filter((alias, index) => aliases.indexOf(alias) < index);
    })
    .at(0);
}

/** The names of the allowed tools or skills; undefined if there is no list. */
export function allowedIn(entry: JsonObject): string[] | undefined {
  return refsIn(entry)?.map(nameOfRef);
}

/** The entry of a name in the list of allowed tools or skills. */
export function refNamed(entry: JsonObject, name: string): Json | undefined {
  return refsIn(entry)?.find((ref) => nameOfRef(ref) === name);
}

function refsIn({ allowed_tools: tools, allowed_skills: skills }: JsonObject): Json[] | undefined {
  const list = tools ?? skills;
  return Array.isArray(list) ? list : undefined;
}

function nameOfRef(ref: Json): string {
  return String(typeof ref === "string" ? ref : (get(ref, "name") ?? get(ref, "id")));
}
