import { isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import type { ActiveRun } from "./active-run.ts";
import type { ConditionUse } from "./decisions.ts";
import { get, memberObject, objects, RunError } from "./order.ts";

/** The aliases of the sub-agents, which a model calls like tools. */
export function subAgentAliases({ order }: ActiveRun): string[] {
  return objects(get(memberObject(order.document, "action_space"), "local_agents")).map(({ alias }) => String(alias));
}

/** Calls a sub-agent with an input, and with the memory context that its declaration requests. */
export async function delegate(run: ActiveRun, alias: string, input: Json): Promise<Json> {
  const { order, world, decisions, spending, context } = run;
  const declaration = objects(memberObject(order.document, "action_space").local_agents).find(
    (agent) => agent.alias === alias,
  );
  spending.countCall("depth");
  const approval = get(declaration, "approval");
  if (
    decisions.asksForAgentConsent(approval, input) &&
    !(await obtainConsent(run, { name: alias, args: isObject(input) ? input : {} }, approval))
  )
    throw new RunError(`the call of ${alias} was refused`);
  const memory = decisions.childContext(context, String(get(declaration, "memory_scope_strategy") ?? "inherit"), alias);
  const request = { name: alias, input, ...(memory === undefined ? {} : { memory }) };
  const { output = null } = await world.ask("agent", request);
  return output;
}

/** Asks for consent to a call, and returns whether it is made. */
export async function obtainConsent(
  { world, decisions, granted: grantedNames }: ActiveRun,
  { name, args, callIndex }: { name: string; args: JsonObject; callIndex?: number },
  approval: Json | undefined,
): Promise<boolean> {
  const subject = callIndex === undefined ? "agent" : "tool";
  if (decisions.remembersConsent(approval, subject) && grantedNames.has(name)) return true;
  const template = get(approval, "message_template");
  const message = decisions.consentMessage(typeof template === "string" ? template : undefined, name, args);
  const answer = await world.ask("consent", { name, arguments: args, message });
  if (answer.granted === true) grantedNames.add(name);
  return decisions.isCallMade(answer.granted === true, callIndex ?? 0);
}

/** The latest output of each agent, by alias. */
export type Latest = ReadonlyMap<string, Json>;

/** The value of a path expression; undefined if it is missing. */
export function resolvePath(path: string, input: Json, latest: Latest): Json | undefined {
  const [source = "", direction, ...fields] = path.split(".");
  let value: Json | undefined;
  if (source === "parent") value = direction === "input" ? input : undefined;
  else value = direction === "output" ? latest.get(source) : undefined;
  for (const field of fields) value = get(value, field);
  return value;
}

/** The input that a mapping makes. May throw a RunError for a path without a value. */
export function mapValues({ order, decisions }: ActiveRun, mapping: JsonObject, latest: Latest): JsonObject {
  const mappedInput: JsonObject = {};
  for (const [name, path] of Object.entries(mapping)) {
    const resolved = resolvePath(String(path), order.input, latest);
    const value = resolved === undefined ? decisions.missingValue(String(path)) : decisions.passedValue(resolved);
    if (value !== undefined) mappedInput[decisions.field(name)] = value;
  }
  return mappedInput;
}

/** Whether a condition with path expressions as keys matches. */
export function holdsCondition(
  { order, decisions }: ActiveRun,
  condition: Json,
  latest: Latest,
  use: ConditionUse,
): boolean {
  const groups = (Array.isArray(condition) ? condition : [condition]).filter(isObject);
  const keys = groups.flatMap((group) => Object.keys(memberObject(group, "args_match")));
  const values = keys.flatMap((key) => {
    const value = resolvePath(key, order.input, latest);
    return value === undefined ? [] : [[key, value] as const];
  });
  return decisions.matches(condition, Object.fromEntries(values), use);
}
