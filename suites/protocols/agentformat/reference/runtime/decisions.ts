import { createHash } from "node:crypto";
import type { Json, JsonObject } from "../../../../../schemas/index.ts";
import { evaluate } from "../../twin/evaluate.ts";
import { get, type LimitError, RunError } from "./order.ts";

/** A result of a step, in the order in which they came. */
export interface StepOutput {
  name: string;
  output: Json;
}

/** What a rule binds. A variant decides one of them wrongly. */
export interface Decisions {
  /** Which of input and output are held against their schemas. */
  checks(what: "input" | "output"): boolean;
  knowsPolicy(id: string): boolean;
  /** Whether a step is to be run, by whatever it says of that. */
  isOn(step: JsonObject): boolean;
  /** The tools of a server, or skills of a remote agent, that may be called. */
  exposed(has: readonly string[], allowed: readonly string[] | undefined): readonly string[];
  /** Whether consent is to be asked for: by the approval of the tool itself, or by the one around it. */
  asks(own: Json | undefined, inherited: Json | undefined, args: JsonObject): boolean;
  /** What a person is asked. */
  question(template: string | undefined, name: string, args: JsonObject): string;
  /** Whether a call is made, of which this was said. */
  calls(granted: boolean): boolean;
  /** Whether a governance policy that there is not prevents the run. */
  needsPolicy(isRequired: boolean): boolean;
  /** What a path with nothing at its end yields. Throws a RunError, where the run is to fail; undefined leaves the field out. */
  nothing(path: string): Json | undefined;
  /** Input of a route's agent that has no mapping. */
  routeInput(input: Json): Json;
  /** Name of the field of the child's input that a mapping fills. */
  field(name: string): string;
  /** Whether so much is more than is allowed. */
  exceeds(what: Limit, amount: number, limit: number): boolean;
  /** The output of a run that has reached a limit. Throws the error, where that is how it ends. */
  breached(error: LimitError): Json;
  /** Whether the model is asked for its answer when its rounds are over. */
  asksAtLast(): boolean;
  /** The output of a batch. */
  batched(outputs: Json[]): Json;
  /** Settings that are handed to the model. Throws a RunError for one that it is said not to know, where that matters. */
  settings(config: JsonObject, lacks: readonly string[]): JsonObject;
  maxSteps(config: JsonObject): number;
  toolChoice(config: JsonObject): string;
  prompt(template: string | undefined, input: Json): string;
  /** Whether calls that a policy lists run at once. */
  areAtOnce(policy: "agf.sequential" | "agf.parallel", steps: readonly JsonObject[]): boolean;
  /** Whether the exit condition, which holds so, ends the loop after so many rounds. */
  exits(holds: boolean, round: number): boolean;
  maxIterations(config: JsonObject): number;
  batchCount(items: number, max: number): number;
  /** Positions of the routes that are taken, of those that match. */
  taken(matching: readonly number[]): readonly number[];
  /** What comes of it when no route matches and there is no default. */
  unmatched(): Json;
  /** Which output a policy has by default. */
  strategy(policy: string): "last" | "merge" | "first";
  /** The alias that an output_from names as an object. */
  namedAgent(name: string): { agent: string } | { strategy: string };
  knowsTransform(name: string, known: readonly string[]): boolean;
  /** Whether a run without a scope is declined. */
  needsScope(isRequired: boolean): boolean;
  /** The memory context of a scope. */
  context(scope: string): string;
  /** The memory context of a sub-agent. */
  childContext(parent: string | undefined, strategy: string, alias: string): string | undefined;
}

export type Limit = "tokens" | "time" | "tool calls" | "model calls" | "depth";

const policies = ["agf.react", "agf.sequential", "agf.parallel", "agf.loop", "agf.batch", "agf.conditional"];

function derived(...parts: string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
}

/** What the rules ask for. */
export const right: Decisions = {
  checks: () => true,
  knowsPolicy: (id) => policies.includes(id),
  isOn: () => true,
  exposed: (has, allowed) => has.filter((name) => allowed === undefined || allowed.includes(name)),
  asks(own, inherited, args) {
    const approval = own ?? inherited ?? false;
    if (typeof approval === "boolean") return approval;
    const condition = get(approval, "condition");
    return condition === undefined || evaluate(condition, args).holds;
  },
  question: (template, name, args) =>
    template === undefined
      ? `May ${name} be called with ${JSON.stringify(args)}?`
      : template.replace(/\{\{tool_args\.(\w+)\}\}/g, (_, each: string) => String(get(args, each) ?? "")),
  calls: (granted) => granted,
  needsPolicy: (isRequired) => isRequired,
  nothing(path) {
    throw new RunError(`${path} leads nowhere`);
  },
  routeInput: (input) => input,
  field: (name) => name,
  exceeds: (_, amount, limit) => amount > limit,
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
  prompt: (template, input) =>
    template === undefined
      ? JSON.stringify(input)
      : template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
          const value = get(input, name);
          return typeof value === "string" ? value : JSON.stringify(value ?? "");
        }),
  areAtOnce: (policy) => policy === "agf.parallel",
  exits: (holds) => holds,
  maxIterations: (config) => Number(config.max_iterations ?? 10),
  batchCount: (items, max) => (max === 0 ? items : Math.min(items, max)),
  taken: (matching) => matching.slice(0, 1),
  unmatched() {
    throw new RunError("no route matches, and there is no default_agent");
  },
  strategy: (policy) => (policy === "agf.parallel" ? "merge" : "last"),
  namedAgent: (agent) => ({ agent }),
  knowsTransform: (name, known) => known.includes(name),
  needsScope: (isRequired) => isRequired,
  context: (scope) => derived(scope),
  childContext(parent, strategy, alias) {
    if (parent === undefined || strategy === "none") return undefined;
    return strategy === "isolated" ? derived(parent, alias) : parent;
  },
};

/** Names that a list allows, whether they stand alone or with an approval; undefined where there is no list. */
export function allowedIn(entry: JsonObject): string[] | undefined {
  return refsIn(entry)?.map(nameOfRef);
}

/** What a list says of one name, where it says more than that. */
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
