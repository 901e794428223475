import { isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import { errorDomain, errorInfoType, errors, type TableError } from "../../errors.ts";
import {
  type A2aPolicy,
  type AgentAnswer,
  type AgentCall,
  AgentRefusal,
  type BindingName,
  type CallFault,
  type OperationName,
  operations,
  type ReferenceAgent,
} from "./agent.ts";

/** A request as received. */
export interface InterfaceRequest {
  method: string;
  /** The path and query below the address of the interface. */
  target: string;
  headers: Readonly<Record<string, string>>;
  /** The names of its headers as written. */
  spelled: readonly string[];
  bytes: Buffer;
}

/** The maximum levels of objects and lists in one body. */
const deepest = 200;

/** The JSON value of a body. Throws the refusal. */
export function jsonIn(bytes: Buffer): Json {
  let value: Json;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw new AgentRefusal("JSONParse", "the body is not JSON");
  }
  if (isDeep(value, deepest))
    throw new AgentRefusal("InvalidParams", `the body has more than ${deepest} levels`, undefined, "depth");
  return value;
}

function isDeep(value: Json, left: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return left === 0 || Object.values(value).some((each) => isDeep(each, left - 1));
}

type CallFacts = Pick<AgentCall, "headers" | "caller" | "spelled" | "size">;

/** The call of a JSON-RPC request. Throws the refusal. */
export function callOf({ policy }: ReferenceAgent, value: Json, facts: CallFacts): AgentCall {
  if (!isObject(value)) throw new AgentRefusal("InvalidRequest", "the body is not a request object");
  const { jsonrpc, method, params } = value;
  if (jsonrpc !== "2.0" || typeof method !== "string" || !Object.hasOwn(value, "id") || !isId(value.id))
    throw new AgentRefusal("InvalidRequest", "the body is not a request of JSON-RPC 2.0");
  const isAlike = (each: string): boolean => each.toLowerCase() === method.toLowerCase();
  const alike = operations.find(isAlike);
  const stand = { ...facts, binding: "JSONRPC", operation: alike ?? "GetTask", params: {} } as const;
  const operation = alike === method || (alike !== undefined && !policy.checks("method", stand)) ? alike : undefined;
  if (operation === undefined) throw new AgentRefusal("MethodNotFound", `there is no method ${method.slice(0, 80)}`);
  const given = params === undefined && operation === "GetExtendedAgentCard" ? {} : params;
  if (!isObject(given)) throw new AgentRefusal("InvalidParams", "params is not an object", "params");
  return { ...facts, binding: "JSONRPC", operation, params: given, id: value.id };
}

function isId(id: Json | undefined): boolean {
  return typeof id === "string" || typeof id === "number" || id === null;
}

/** The `id` of a request, if it can be read. */
export function idIn(value: Json | undefined): Json {
  const id = isObject(value) ? value.id : undefined;
  return isId(id) ? (id as Json) : null;
}

interface AgentRoute {
  method: string;
  path: RegExp;
  operation: OperationName;
  body?: true;
}

const config = "/tasks/([^/]+)/pushNotificationConfigs";

const routes: readonly AgentRoute[] = [
  { method: "POST", path: /^\/message:send$/, operation: "SendMessage", body: true },
  { method: "POST", path: /^\/message:stream$/, operation: "SendStreamingMessage", body: true },
  { method: "POST", path: /^\/tasks\/([^/]+):cancel$/, operation: "CancelTask", body: true },
  { method: "POST", path: /^\/tasks\/([^/]+):subscribe$/, operation: "SubscribeToTask" },
  { method: "GET", path: /^\/tasks\/([^/]+):subscribe$/, operation: "SubscribeToTask" },
  { method: "GET", path: /^\/tasks\/([^/]+)$/, operation: "GetTask" },
  { method: "GET", path: /^\/tasks$/, operation: "ListTasks" },
  { method: "POST", path: new RegExp(`^${config}$`), operation: "CreateTaskPushNotificationConfig", body: true },
  { method: "GET", path: new RegExp(`^${config}$`), operation: "ListTaskPushNotificationConfigs" },
  { method: "GET", path: new RegExp(`^${config}/([^/]+)$`), operation: "GetTaskPushNotificationConfig" },
  { method: "DELETE", path: new RegExp(`^${config}/([^/]+)$`), operation: "DeleteTaskPushNotificationConfig" },
  { method: "GET", path: /^\/extendedAgentCard$/, operation: "GetExtendedAgentCard" },
];

/** The call of a request of the REST binding. Throws the refusal. */
export function routedCall(
  { policy, settings: { tenant = "" } }: ReferenceAgent,
  { method, target, bytes }: InterfaceRequest,
  facts: CallFacts,
): AgentCall {
  const [whole = "", query = ""] = target.split("?", 2);
  const prefix = `/${encodeURIComponent(tenant)}`;
  const isOwn = tenant !== "" && (whole === prefix || whole.startsWith(`${prefix}/`));
  const path = isOwn ? whole.slice(prefix.length) : whole;
  const route = routes.find((agentRoute) => agentRoute.method === method && agentRoute.path.test(path));
  if (route === undefined) throw new AgentRefusal("MethodNotFound", `there is no ${method} ${path.slice(0, 80)}`);
  const [, first, second] = (route.path.exec(path) ?? []).map((part) => decodedPart(policy, part ?? ""));
  const { operation } = route;
  const isOfConfig = /PushNotification/.test(operation);
  const read = route.body === true ? bodyIn(bytes, operation) : paramsIn(query);
  const named = isOfConfig
    ? { taskId: first as Json, ...(second === undefined ? {} : { id: second }) }
    : first === undefined
      ? {}
      : { id: first };
  const ours = isOwn ? { tenant } : {};
  return { ...facts, binding: "HTTP+JSON", operation, params: { ...read, ...named, ...ours } };
}

function decodedPart({ decodes }: A2aPolicy, part: string): string {
  try {
    return decodes(part);
  } catch {
    throw new AgentRefusal("InvalidParams", "the path is not encoded rightly");
  }
}

function bodyIn(bytes: Buffer, operation: OperationName): JsonObject {
  if (bytes.length === 0 && operation === "CancelTask") return {};
  const value = jsonIn(bytes);
  if (!isObject(value)) throw new AgentRefusal("InvalidParams", "the body is not an object");
  return value;
}

const whole = ["pageSize", "historyLength"];

/** The parameters in a query. A text of the wrong kind stays a text, so that the operation refuses it. */
function paramsIn(query: string): JsonObject {
  const all = [...new URLSearchParams(query)].filter(([name]) => name !== "A2A-Version");
  return Object.fromEntries(
    all.map(([name, value]): [string, Json] => {
      if (whole.includes(name) && /^-?\d+(?:\.\d+)?$/.test(value)) return [name, Number(value)];
      return [name, name === "includeArtifacts" && /^(?:true|false)$/.test(value) ? value === "true" : value];
    }),
  );
}

/** A refusal in the form of a binding. */
export function failureOf(binding: BindingName, { error, message, field }: CallFault, id: Json): AgentAnswer {
  const { code, status, reason, word }: TableError = errors[error];
  const info = reason === undefined ? [] : [{ "@type": errorInfoType, reason, domain: errorDomain }];
  const violation = {
    "@type": "type.googleapis.com/google.rpc.BadRequest",
    fieldViolations: [{ field: field ?? "", description: message }],
  };
  const details = [...info, ...(field === undefined ? [] : [violation])];
  if (binding === "HTTP+JSON") {
    const body = { error: { code: status, status: word, message, details } };
    return { status, headers: { "content-type": "application/a2a+json" }, body };
  }
  const data = details.length === 0 ? {} : { data: details };
  const body = { jsonrpc: "2.0", id, error: { code, message, ...data } };
  return { status: 200, headers: { "content-type": "application/json" }, body };
}

/** A result in the form of a binding. */
export function successOf({ binding, operation, id }: AgentCall, result: Json): AgentAnswer {
  if (binding === "JSONRPC")
    return {
      status: 200,
      headers: { "content-type": "application/json" },
      body: { jsonrpc: "2.0", id: id ?? null, result },
    };
  if (operation === "DeleteTaskPushNotificationConfig") return { status: 204, headers: {}, body: undefined };
  return { status: 200, headers: { "content-type": "application/a2a+json" }, body: result };
}
