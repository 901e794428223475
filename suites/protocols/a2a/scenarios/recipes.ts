import { isObject, type Json, type JsonObject, type ScenarioContext } from "../../../../schemas/index.ts";
import { boundOf } from "./bounds.ts";
import { type CallResult, describeAnswer } from "./calls.ts";
import { type CallOptions, type InterfaceVisit, notShown, optionMissing, stepFailed } from "./visit.ts";

export const terminalStates: readonly string[] = ["COMPLETED", "FAILED", "CANCELED", "REJECTED"].map(
  (name) => `TASK_STATE_${name}`,
);
export const interruptedStates: readonly string[] = ["TASK_STATE_INPUT_REQUIRED", "TASK_STATE_AUTH_REQUIRED"];
export const runningStates: readonly string[] = ["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"];

/** The name of a message that makes the agent do something. */
export type RecipeName =
  | "finishing"
  | "replying"
  | "working"
  | "asking"
  | "answering"
  | "authorizing"
  | "failing"
  | "rejecting"
  | "chunks";

/** The reaction of the agent to the message of each recipe. */
const reactions: Readonly<Record<RecipeName, string>> = {
  finishing: "opens a task that finishes soon",
  replying: "replies with a message, and opens no task",
  working: "works for a second or more, in several updates",
  asking: "opens a task that stops for input",
  answering: "ends a task that stopped for input",
  authorizing: "opens a task that stops for authorization",
  failing: "opens a task that fails",
  rejecting: "opens a task that it rejects",
  chunks: "streams an artifact in several chunks",
};

/** Message id prefixes that an agent prepared for the official test kit reacts to. */
const prefixes: Readonly<Partial<Record<RecipeName, string>>> = {
  finishing: "tck-complete-task",
  replying: "tck-message-response",
  asking: "tck-input-required",
  answering: "tck-complete-task",
  rejecting: "tck-reject-task",
  working: "test-resubscribe-message-id",
  chunks: "tck-stream-artifact-chunked",
};

/** Recipes that work with any message unless the configuration has one. */
const defaultRecipes: readonly RecipeName[] = ["finishing", "replying", "answering"];

/** Makes a message. `overrides` adds or replaces members; undefined removes a member. */
export function makeMessage(
  context: ScenarioContext,
  overrides: Readonly<Record<string, Json | undefined>> = {},
): JsonObject {
  const message = { messageId: idFor(context), role: "ROLE_USER", parts: [{ text: "Hello" }], ...overrides };
  return Object.fromEntries(Object.entries(message).filter(([, value]) => value !== undefined)) as JsonObject;
}

const runId = Date.now().toString(36);

/** Makes an id that differs between runs, even with the same seed: agents may remember ids for minutes. */
export function idFor(context: ScenarioContext, prefix = "m"): string {
  return `${context.fresh(prefix)}-${runId}`;
}

/** Makes an id of a task, or of another object, that does not exist. */
export function unknownId(context: ScenarioContext): string {
  const text = Buffer.from(idFor(context)).toString("hex").slice(-20).padStart(20, "0");
  return `00000000-0000-4${text.slice(0, 3)}-8${text.slice(3, 6)}-${text.slice(6, 18)}`;
}

export function hasRecipe({ setting: { options = {} } }: ScenarioContext, name: RecipeName): boolean {
  return (
    options[name] !== undefined ||
    defaultRecipes.includes(name) ||
    (options.tck === true && prefixes[name] !== undefined)
  );
}

/** Makes the message of a recipe. Throws a skip if none is configured for the agent. */
export function recipeMessage(context: ScenarioContext, name: RecipeName, overrides: JsonObject = {}): JsonObject {
  const { options = {} } = context.setting;
  const configuredMessage = options[name];
  if (typeof configuredMessage === "string")
    return makeMessage(context, { parts: [{ text: configuredMessage }], ...overrides });
  if (isObject(configuredMessage)) {
    const { messageId, ...otherMembers } = configuredMessage;
    const id = typeof messageId === "string" ? { messageId: `${messageId}-${idFor(context)}` } : {};
    return makeMessage(context, { ...otherMembers, ...id, ...overrides });
  }
  const prefix = options.tck === true ? prefixes[name] : undefined;
  if (prefix !== undefined) return makeMessage(context, { messageId: `${prefix}-${idFor(context)}`, ...overrides });
  if (defaultRecipes.includes(name)) return makeMessage(context, overrides);
  throw optionMissing(name, `a message on which the agent ${reactions[name]}`);
}

/** Lists the available recipes that may open a task, the default one first. */
export function openingRecipes(context: ScenarioContext): RecipeName[] {
  return ["finishing", ...(["asking", "working"] as const).filter((name) => hasRecipe(context, name))];
}

/** Returns the task in an answer to a message. */
export function taskIn({ result }: CallResult): JsonObject | undefined {
  return isObject(result) && isObject(result.task) ? result.task : undefined;
}

export function stateOf(task: Json | undefined): string {
  return isObject(task) && isObject(task.status) ? String(task.status.state) : "nothing";
}

/** Returns the options of a blocking call, which waits as long as a task may work. */
export function blockingOptions({ context }: InterfaceVisit): CallOptions {
  return { waitMs: boundOf(context, "work") };
}

/** Sends a message that must open a task. Throws if it does not. */
export async function openTask(
  visit: InterfaceVisit,
  name: RecipeName,
  { message = {}, configuration }: { message?: JsonObject; configuration?: JsonObject } = {},
): Promise<JsonObject> {
  const params = {
    message: recipeMessage(visit.context, name, message),
    ...(configuration === undefined ? {} : { configuration }),
  };
  const answer = await visit.call("SendMessage", params, blockingOptions(visit));
  const task = taskIn(answer);
  if (task !== undefined && typeof task.id === "string") return task;
  if (answer.error !== undefined) throw stepFailed(`a message that opens a task is refused: ${describeAnswer(answer)}`);
  if (isObject(answer.result) && isObject(answer.result.message))
    throw optionMissing(name, `a message on which the agent ${reactions[name]}; it answers with a message`);
  throw stepFailed(`a message is answered with neither a task nor a message: ${describeAnswer(answer)}`);
}

export async function getTask(visit: InterfaceVisit, id: Json, otherParams: JsonObject = {}): Promise<JsonObject> {
  const answer = await visit.call("GetTask", { id, ...otherParams });
  if (isObject(answer.result)) return answer.result;
  throw stepFailed(`an existing task cannot be read: ${describeAnswer(answer)}`);
}

/** Reads a task until it reaches one of the states or the time is up. Returns the last reading. */
export async function awaitTask(
  visit: InterfaceVisit,
  id: Json,
  states: readonly string[] = [...terminalStates, ...interruptedStates],
): Promise<JsonObject> {
  const { timeScale = 1 } = visit.context.setting;
  const limit = performance.now() + boundOf(visit.context, "work") * timeScale;
  for (let pause = 50; ; pause = Math.min(pause * 2, 1000)) {
    const task = await getTask(visit, id);
    if (states.includes(stateOf(task)) || performance.now() > limit) return task;
    await visit.context.wait(pause);
  }
}

/** Makes a finished task. Throws a skip if the agent cannot make one. */
export async function makeFinishedTask(
  visit: InterfaceVisit,
  name: RecipeName = "finishing",
  message: JsonObject = {},
): Promise<JsonObject> {
  let task = await openTask(visit, name, { message });
  if (runningStates.includes(stateOf(task))) task = await awaitTask(visit, task.id as Json);
  if (interruptedStates.includes(stateOf(task))) {
    const answer = await visit.call(
      "SendMessage",
      { message: recipeMessage(visit.context, "answering", { taskId: task.id as Json }) },
      blockingOptions(visit),
    );
    task = taskIn(answer) ?? task;
  }
  if (terminalStates.includes(stateOf(task))) return task;
  throw optionMissing("finishing", `a message on which the agent ${reactions.finishing}; its task is ${stateOf(task)}`);
}

/** Makes a task that waits for input. */
export async function makeAskingTask(
  visit: InterfaceVisit,
  options: Parameters<typeof openTask>[2] = {},
): Promise<JsonObject> {
  let task = await openTask(visit, "asking", options);
  if (runningStates.includes(stateOf(task))) task = await awaitTask(visit, task.id as Json);
  if (stateOf(task) === "TASK_STATE_INPUT_REQUIRED") return task;
  throw notShown(`a message that should open a task which asks for input opened one that is ${stateOf(task)}`);
}

/** Makes a task that is in progress. */
export async function makeWorkingTask(
  visit: InterfaceVisit,
  options: Parameters<typeof openTask>[2] = {},
): Promise<JsonObject> {
  const { configuration = {} } = options;
  const task = await openTask(visit, "working", {
    ...options,
    configuration: { ...configuration, returnImmediately: true },
  });
  if (runningStates.includes(stateOf(task))) return task;
  throw notShown(`a task that should be working was ${stateOf(task)} immediately`);
}

/** Makes an unfinished task: it waits for input if the agent can do that, or is in progress. */
export async function makeUnfinishedTask(
  visit: InterfaceVisit,
  options: Parameters<typeof openTask>[2] = {},
): Promise<JsonObject> {
  if (hasRecipe(visit.context, "asking")) return makeAskingTask(visit, options);
  return makeWorkingTask(visit, options);
}
