import {
  isObject,
  type Json,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  type Setting,
  TargetFailure,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { quote } from "../../../../base/text/show.ts";
import { type ErrorName, errorDomain, errorInfoType, errors, type TableError } from "../../errors.ts";
import type { AgentInterface, CallName } from "../calls.ts";
import { idFor } from "../recipes.ts";
import {
  type AgentStub,
  type SeenCall,
  type StubAnswer,
  type StubInterface,
  type StubSettings,
  startStubAgent,
} from "./stub.ts";

export const side = "client";

/** A client's report on an operation: its result or items, or an error. */
export interface ClientReport {
  result?: Json;
  items: readonly Json[];
  error?: JsonObject;
  /** A short description. */
  brief: string;
  /** The whole answer of the hook. */
  returned: JsonObject;
}

/** Options of an operation that the client is ordered to carry out. */
export interface OperationOptions {
  params?: JsonObject;
  /** The URIs of the extensions to use. */
  extensions?: readonly string[];
  /** The credentials, by the names of the card's schemes. */
  credentials?: Readonly<Record<string, string>>;
  /** The keys for the signatures of cards. */
  keys?: readonly Json[];
}

const streamingOperations: readonly CallName[] = ["SendStreamingMessage", "SubscribeToTask"];

/** Orders the client to carry out an operation at the suite's agent. Throws a TargetFailure if its hook answers in a wrong form. */
export async function runOperation(
  context: ScenarioContext,
  { url }: Pick<AgentStub, "url">,
  operation: CallName,
  { params = paramsFor(context, operation), extensions, credentials, keys }: OperationOptions = {},
): Promise<ClientReport> {
  const hook = streamingOperations.includes(operation) ? "stream" : "call";
  const returned = await context.hook(hook, {
    url,
    operation,
    params,
    ...(extensions === undefined ? {} : { extensions: [...extensions] }),
    ...(credentials === undefined ? {} : { credentials: { ...credentials } }),
    ...(keys === undefined ? {} : { keys: [...keys] }),
  });
  return reportIn(returned, hook, hook === "call" ? "result" : "items");
}

export function reportIn(returned: JsonObject, hook: string, member: "result" | "items" | "task"): ClientReport {
  const brief = quote(JSON.stringify(returned));
  const { error, items } = returned;
  const report = { items: Array.isArray(items) ? items : [], brief, returned };
  if (isObject(error)) return { ...report, error };
  if (returned[member] !== undefined) return { ...report, result: returned[member] };
  const forms = `{"${member}": …} or {"error": {"name", "code", "message"}}`;
  throw new TargetFailure("errored", "hook", `the hook "${hook}" answers neither ${forms}: ${brief}`);
}

/** Returns parameters for an operation that any agent accepts. */
export function paramsFor(context: ScenarioContext, operation: CallName): JsonObject {
  const id = "task-1";
  switch (operation) {
    case "SendMessage":
    case "SendStreamingMessage":
      return { message: { messageId: idFor(context), role: "ROLE_USER", parts: [{ text: "Hello" }] } };
    case "GetTask":
    case "CancelTask":
    case "SubscribeToTask":
      return { id };
    case "CreateTaskPushNotificationConfig":
      return { taskId: id, url: "https://hooks.touchstone.example/a" };
    case "ListTaskPushNotificationConfigs":
      return { taskId: id };
    case "GetTaskPushNotificationConfig":
    case "DeleteTaskPushNotificationConfig":
      return { taskId: id, id: "c-1" };
    default:
      return {};
  }
}

export function makeTask(state: string, members: JsonObject = {}): JsonObject {
  const status = { state: `TASK_STATE_${state}`, timestamp: "2026-01-01T00:00:00.000Z" };
  return { id: "task-1", contextId: "ctx-1", status, ...members };
}

export function makeUpdate(state: string, members: JsonObject = {}): JsonObject {
  const { id, contextId, status } = makeTask(state);
  return { statusUpdate: { taskId: id as Json, contextId: contextId as Json, status: status as Json, ...members } };
}

/** Writes the text of a stream item, in the form of the binding. */
export function itemText({ binding, id = null }: SeenCall, event: JsonObject): string {
  return JSON.stringify(binding === "JSONRPC" ? { jsonrpc: "2.0", id, result: event } : event);
}

export function frameEvent(text: string): string {
  return `data: ${text}\n\n`;
}

/** Answers a call like an agent that follows every rule. */
export function answerCorrectly(call: SeenCall, card: JsonObject): StubAnswer {
  const { operation, params } = call;
  switch (operation) {
    case "SendMessage":
      return { result: { task: makeTask("COMPLETED") } };
    case "SendStreamingMessage":
    case "SubscribeToTask":
      return {
        pieces: [{ task: makeTask("SUBMITTED") }, makeUpdate("COMPLETED")].map((event) =>
          frameEvent(itemText(call, event)),
        ),
      };
    case "GetTask":
      return { result: makeTask("COMPLETED", { id: params.id ?? "task-1" }) };
    case "ListTasks":
      return { result: { tasks: [makeTask("COMPLETED")], nextPageToken: "", pageSize: 50, totalSize: 1 } };
    case "CancelTask":
      return { result: makeTask("CANCELED", { id: params.id ?? "task-1" }) };
    case "CreateTaskPushNotificationConfig":
    case "GetTaskPushNotificationConfig":
      return {
        result: {
          id: "c-1",
          taskId: params.taskId ?? "task-1",
          url: params.url ?? "https://hooks.touchstone.example/a",
        },
      };
    case "ListTaskPushNotificationConfigs":
      return { result: { configs: [], nextPageToken: "" } };
    case "DeleteTaskPushNotificationConfig":
      return { result: {} };
    case "GetExtendedAgentCard":
      return { result: card };
    default:
      return { status: 404, text: "There is nothing here." };
  }
}

/** Makes an answer with an error of the protocol, in the form of the binding. */
export function errorAnswer(call: SeenCall, name: ErrorName): { status?: number; text: string } {
  const { status } = errors[name];
  return call.binding === "JSONRPC"
    ? { text: JSON.stringify({ jsonrpc: "2.0", id: call.id ?? null, error: errorBody(call, name) }) }
    : { status, text: JSON.stringify({ error: errorBody(call, name) }) };
}

/** Makes the object `error` of an error answer. All errors have the same message. */
export function errorBody({ binding }: Pick<SeenCall, "binding">, name: ErrorName): JsonObject {
  const { code, status, reason, statusName }: TableError = errors[name];
  const message = "This is not possible.";
  const details: Json[] = reason === undefined ? [] : [{ "@type": errorInfoType, reason, domain: errorDomain }];
  return binding === "JSONRPC"
    ? { code, message, data: details }
    : { code: status, status: statusName, message, details };
}

export const bothBindings: readonly AgentInterface["binding"][] = ["JSONRPC", "HTTP+JSON"];

/** The bindings that each client supports, determined once per run. */
const bindingsBySetting = new WeakMap<Setting, Promise<AgentInterface["binding"][]>>();

/** Finds the bindings over which the client accepts a valid answer. Throws a TargetFailure if there are none. */
export async function bindingsOf(context: ScenarioContext): Promise<readonly AgentInterface["binding"][]> {
  const bindings = bindingsBySetting.get(context.setting) ?? probeBindings(context);
  bindingsBySetting.set(context.setting, bindings);
  bindings.catch(() => bindingsBySetting.delete(context.setting));
  return bindings;
}

async function probeBindings(context: ScenarioContext): Promise<AgentInterface["binding"][]> {
  const acceptedBindings: AgentInterface["binding"][] = [];
  const reasons: string[] = [];
  for (const binding of bothBindings) {
    const stub = await startStubAgent(context, { endpoints: [{ name: "a", binding }], answer: answerCorrectly });
    const { error, brief } = await runOperation(context, stub, "SendMessage");
    if (error === undefined) acceptedBindings.push(binding);
    else reasons.push(`${binding}: ${brief}`);
  }
  if (acceptedBindings.length === 0)
    throw new TargetFailure(
      "errored",
      "hook",
      `the client does not accept a valid answer over any binding: ${reasons.join("; ")}`,
    );
  return acceptedBindings;
}

/** One binding of the client while a scenario uses it. */
export interface ClientVisit {
  context: ScenarioContext;
  binding: AgentInterface["binding"];
  /** Starts a stub agent with one interface. */
  stub(
    settings?: Partial<Omit<StubSettings, "endpoints">> & Partial<Omit<StubInterface, "binding">>,
  ): Promise<AgentStub>;
  expect(rule: string, holds: boolean, why: string, ...details: Parameters<ScenarioContext["expect"]>[3][]): void;
}

type ClientStory = Pick<Scenario, "name" | "says" | "rules" | "waits"> & {
  hooks?: readonly string[];
  binding?: AgentInterface["binding"];
  play(visit: ClientVisit): Promise<void>;
};

/** Makes a scenario that is played over each binding of a client. */
export function overEachBinding({ hooks = ["call"], binding: requiredBinding, play, ...facts }: ClientStory): Scenario {
  return {
    side,
    ...facts,
    needs: hooks,
    withinMs: 120_000,
    async play(context) {
      const playedBindings = (await bindingsOf(context)).filter(
        (binding) => requiredBinding === undefined || binding === requiredBinding,
      );
      if (playedBindings.length === 0) throw new TargetSkip(`the client does not support ${requiredBinding}`);
      let lastSkip: TargetSkip | undefined;
      for (const binding of playedBindings)
        await play(createClientVisit(context, binding)).catch((error) => {
          if (!(error instanceof TargetSkip)) throw error;
          lastSkip = error;
        });
      if (lastSkip !== undefined) throw lastSkip;
    },
  };
}

export function createClientVisit(context: ScenarioContext, binding: AgentInterface["binding"]): ClientVisit {
  return {
    context,
    binding,
    stub: ({ card, answer = answerCorrectly, name = "a", ...endpoint } = {}) =>
      startStubAgent(context, {
        endpoints: [{ name, binding, ...endpoint }],
        answer,
        ...(card === undefined ? {} : { card }),
      }),
    expect(rule, holds, why, ...details) {
      context.expect(rule, holds, `${binding}: ${why}`, ...details);
    },
  };
}
