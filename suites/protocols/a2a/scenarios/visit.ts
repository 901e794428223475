import {
  type Evidence,
  isObject,
  type Json,
  type JsonObject,
  jsonOf,
  type Level,
  missingNeeds,
  type Scenario,
  type ScenarioContext,
  TargetFailure,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { type AgentInterface, type CallName, type CallResult, readAnswer, wireCall } from "./calls.ts";
import { type A2aParty, partyOf } from "./party.ts";

/** Options of a call that replace the defaults. */
export interface CallOptions {
  /** The header `A2A-Version`; null omits it. */
  version?: string | null;
  /** The header `A2A-Extensions`; null omits it, even if the card requires extensions. */
  extensions?: string | null;
  headers?: Record<string, string>;
  /** The caller; by default `a`. */
  as?: "a" | "b" | "nobody";
  id?: Json;
  /** Replaces the usual body. */
  body?: Json | string;
  /** Replaces the usual HTTP method. */
  method?: string;
  /** A query to append to the path. */
  query?: string;
  waitMs?: number;
}

/** One interface of the agent while a scenario uses it. */
export interface InterfaceVisit {
  context: ScenarioContext;
  party: A2aParty;
  endpoint: AgentInterface;
  /** The observations of tasks, in order. */
  readings: TaskReading[];
  messages: JsonObject[];
  call(operation: CallName, params: JsonObject, options?: CallOptions): Promise<CallResult>;
  expect(rule: string, holds: boolean, why: string, ...details: readonly (Level | Evidence | undefined)[]): void;
  /** The headers of every request. */
  headers(options?: CallOptions): Record<string, string>;
}

/** One reading of a task: from an answer or from an update in a stream. */
export interface TaskReading {
  id: string;
  contextId: Json | undefined;
  state: string;
  timestamp: Json | undefined;
  /** The operation that returned it. */
  via: string;
}

/** The number of requests that this process has sent; makes their ids unique. */
let requestCount = 0;

/** The default time limit of a scenario, in milliseconds. */
export const defaultWithinMs = 60_000;

/** A scenario that is played at each interface of the agent's card. */
export interface VisitScenario extends Pick<Scenario, "name" | "says" | "rules"> {
  needs?: Scenario["needs"];
  withinMs?: number;
  waits?: number;
  slow?: true;
  /** The binding that the scenario tests; all bindings by default. */
  binding?: AgentInterface["binding"];
  /** The rules that only interfaces of one binding can show. */
  shownBy?: Readonly<Record<string, AgentInterface["binding"]>>;
  /** Throws a skip if the card does not meet the conditions of the scenario. */
  when?(party: A2aParty): void;
  play(visit: InterfaceVisit): Promise<void>;
}

/** Makes a scenario that is played at each interface. */
export function atEachInterface({
  binding,
  shownBy = {},
  when,
  play,
  needs = [],
  withinMs = defaultWithinMs,
  ...facts
}: VisitScenario): Scenario {
  return {
    ...facts,
    needs: ["url", ...needs],
    withinMs: withinMs * 2,
    async play(context) {
      const party = await partyOf(context);
      when?.(party);
      const endpoints = party.endpoints.filter((endpoint) => binding === undefined || endpoint.binding === binding);
      if (endpoints.length === 0) throw notShown(noInterfaceText(binding ?? "JSONRPC or HTTP+JSON"));
      for (const [rule, requiredBinding] of Object.entries(shownBy))
        if (endpoints.every((endpoint) => endpoint.binding !== requiredBinding))
          context.skip(rule, noInterfaceText(requiredBinding));
      let lastSkip: TargetSkip | undefined;
      for (const endpoint of endpoints)
        await play(visitOf(context, party, endpoint)).catch((error) => {
          if (!(error instanceof TargetSkip)) throw error;
          lastSkip = error;
        });
      if (lastSkip !== undefined) throw lastSkip;
    },
  };
}

function noInterfaceText(bindings: string): string {
  return `no interface of its card answers as ${bindings}`;
}

export function visitOf(context: ScenarioContext, party: A2aParty, endpoint: AgentInterface): InterfaceVisit {
  const visit: InterfaceVisit = {
    context,
    party,
    endpoint,
    readings: [],
    messages: [],
    async call(operation, params, options = {}) {
      requestCount += 1;
      const wireRequest = wireCall(endpoint, operation, params, options.id ?? `t-${requestCount}`);
      const reply = await context.send({
        method: options.method ?? wireRequest.method,
        path: `${wireRequest.path}${options.query ?? ""}`,
        headers: { ...wireRequest.headers, ...visit.headers(options) },
        ...(options.waitMs === undefined ? {} : { waitMs: options.waitMs }),
        ...(options.as === undefined ? {} : { as: options.as }),
        ...bodyMember(options.body ?? wireRequest.body),
      });
      const answer = readAnswer(endpoint.binding, reply, reply);
      noteResult(visit, answer.result, operation);
      return answer;
    },
    expect(rule, holds, why, ...details) {
      context.expect(rule, holds, `${endpoint.binding}: ${why}`, ...details);
    },
    headers({ version = "1.0", extensions, headers = {} } = {}) {
      const extensionUris =
        extensions === undefined && party.requiredExtensions.length > 0
          ? party.requiredExtensions.join(",")
          : extensions;
      return {
        ...(version === null ? {} : { "a2a-version": version }),
        ...(extensionUris === undefined || extensionUris === null ? {} : { "a2a-extensions": extensionUris }),
        ...headers,
      };
    },
  };
  return visit;
}

function bodyMember(body: Json | undefined): { body?: Json } {
  return body === undefined ? {} : { body };
}

/** Records the tasks and messages of a result. */
export function noteResult({ readings, messages }: InterfaceVisit, result: Json | undefined, via: string): void {
  if (!isObject(result)) return;
  const tasks = [
    result.task,
    ...(Array.isArray(result.tasks) ? result.tasks : []),
    ...(isObject(result.status) ? [result] : []),
  ];
  for (const task of tasks)
    if (isObject(task))
      noteTask({ readings, messages }, { id: task.id, contextId: task.contextId, status: task.status }, via);
  const { statusUpdate, message } = result;
  if (isObject(statusUpdate))
    noteTask(
      { readings, messages },
      { id: statusUpdate.taskId, contextId: statusUpdate.contextId, status: statusUpdate.status },
      via,
    );
  if (isObject(message)) messages.push(message);
}

function noteTask(
  { readings, messages }: Pick<InterfaceVisit, "readings" | "messages">,
  { id, contextId, status }: { id: Json | undefined; contextId: Json | undefined; status: Json | undefined },
  via: string,
): void {
  if (typeof id !== "string" || !isObject(status)) return;
  const { state, timestamp, message } = status;
  readings.push({ id, contextId, state: String(state), timestamp, via });
  if (isObject(message)) messages.push(message);
}

/** An item of a stream. */
export interface TaskStreamItem {
  data: string;
  event?: string;
  /** The StreamResponse; undefined for an error and for anything else. */
  response?: JsonObject;
  /** Its data, parsed as JSON. */
  json: Json | undefined;
  /** The time on a monotonic clock, in milliseconds. */
  receivedAt: number;
}

/** A stream and the items read from it so far. */
export interface StreamReader {
  status: number;
  headers: Readonly<Record<string, string>>;
  isStream: boolean;
  items: TaskStreamItem[];
  /** The answer, if it is not a stream. */
  answer?: CallResult;
  /** Reads until the stream has `count` items, ends, or is silent for a time. Returns whether it has `count` items. */
  read(count: number, milliseconds: number): Promise<boolean>;
  endState(): "closed" | "cut" | "limit" | "open";
  cut(): void;
  /** The time of the request, on the same clock as `receivedAt`. */
  requestedAt: number;
}

/** The milliseconds to wait for the body of an answer that is not a stream. */
const plainAnswerTimeout = 5000;

/** Calls an operation that answers with a stream. */
export async function openStream(
  visit: InterfaceVisit,
  operation: "SendStreamingMessage" | "SubscribeToTask",
  params: JsonObject,
  options: CallOptions = {},
): Promise<StreamReader> {
  requestCount += 1;
  const { context, endpoint } = visit;
  const wire = wireCall(endpoint, operation, params, options.id ?? `s-${requestCount}`);
  const requestedAt = performance.now();
  const stream = await context.stream({
    method: options.method ?? wire.method,
    path: wire.path,
    body: bodyText(options.body ?? wire.body),
    headers: { accept: "text/event-stream, application/json", ...wire.headers, ...visit.headers(options) },
    as: options.as ?? "a",
  });
  const { status, headers } = stream;
  const isStream = /^text\/event-stream\b/i.test(headers["content-type"] ?? "");
  let end: ReturnType<StreamReader["endState"]> | undefined;
  const reader: StreamReader = {
    status,
    headers,
    isStream,
    items: [],
    requestedAt,
    endState: () => end ?? stream.ended(),
    cut: () => stream.cut(),
    async read(count, milliseconds) {
      while (reader.items.length < count && end === undefined) {
        const next = await stream.next(milliseconds).catch((error) => {
          if (!(error instanceof TargetFailure)) throw error;
          return "cut" as const;
        });
        if (next === "silence") return false;
        if (next === "end") end = stream.ended() === "open" ? "closed" : stream.ended();
        else if (next === "cut") end = "cut";
        else reader.items.push(itemOf(visit, next.item, operation));
      }
      return reader.items.length >= count;
    },
  };
  if (isStream) return reader;
  await reader.read(1, plainAnswerTimeout);
  const text = reader.items[0]?.data ?? "";
  reader.items.length = 0;
  return { ...reader, answer: readAnswer(endpoint.binding, { status, headers, text, json: jsonOf(text) }) };
}

function bodyText(body: Json | undefined): string {
  if (body === undefined) return "";
  return typeof body === "string" ? body : JSON.stringify(body);
}

function itemOf(visit: InterfaceVisit, { data, event }: { data: string; event?: string }, via: string): TaskStreamItem {
  const json = jsonOf(data);
  const payload = visit.endpoint.binding === "JSONRPC" && isObject(json) ? json.result : json;
  const isError = event === "error" || (isObject(json) && Object.hasOwn(json, "error"));
  const validEvent = isObject(payload) && !isError ? payload : undefined;
  noteResult(visit, validEvent, via);
  return {
    data,
    json,
    receivedAt: performance.now(),
    ...(event === undefined ? {} : { event }),
    ...(validEvent === undefined ? {} : { response: validEvent }),
  };
}

/** Makes the skip for an agent that does not show the tested behavior. */
export function notShown(why: string): TargetSkip {
  return new TargetSkip(why);
}

/** Makes the skip for a missing option. */
export function optionMissing(option: string, why: string): TargetSkip {
  return new TargetSkip(`needs the option \`${option}\`: ${why}`, missingNeeds(`options.${option}`));
}

/** Makes the failure of a step that every scenario needs. */
export function stepFailed(why: string): TargetFailure {
  return new TargetFailure("errored", "step", why);
}
