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
  headerNames: readonly string[];
  bytes: Buffer;
}

/** The maximum levels of objects and lists in one body. */
const maxDepth = 200;

/** Parses a body as JSON. Throws a refusal for an invalid body. */
export function parseBody(bytes: Buffer): Json {
  let value: Json;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw new AgentRefusal("JSONParse", "the body is not JSON");
  }
  if (isDeep(value, maxDepth))
    throw new AgentRefusal("InvalidParams", `the body has more than ${maxDepth} levels`, undefined, "depth");
  return value;
}

function isDeep(value: Json, levelsLeft: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levelsLeft === 0 || Object.values(value).some((child) => isDeep(child, levelsLeft - 1));
}

type CallFacts = Pick<AgentCall, "headers" | "caller" | "headerNames" | "size">;

/** Reads the call from a JSON-RPC request. Throws a refusal for an invalid request. */
export function readRpcCall({ policy }: ReferenceAgent, value: Json, facts: CallFacts): AgentCall {
  if (!isObject(value)) throw new AgentRefusal("InvalidRequest", "the body is not a request object");
  const { jsonrpc, method, params } = value;
  if (jsonrpc !== "2.0" || typeof method !== "string" || !Object.hasOwn(value, "id") || !isId(value.id))
    throw new AgentRefusal("InvalidRequest", "the body is not a request of JSON-RPC 2.0");
  const matchesMethod = (name: string): boolean => name.toLowerCase() === method.toLowerCase();
  const similarOperation = operations.find(matchesMethod);
  const assumedCall = { ...facts, binding: "JSONRPC", operation: similarOperation ?? "GetTask", params: {} } as const;
  const operation =
    similarOperation === method || (similarOperation !== undefined && !policy.makesCheck("method", assumedCall))
      ? similarOperation
      : undefined;
  if (operation === undefined) throw new AgentRefusal("MethodNotFound", `there is no method ${method.slice(0, 80)}`);
  const paramsOrDefault = params === undefined && operation === "GetExtendedAgentCard" ? {} : params;
  if (!isObject(paramsOrDefault)) throw new AgentRefusal("InvalidParams", "params is not an object", "params");
  return { ...facts, binding: "JSONRPC", operation, params: paramsOrDefault, id: value.id };
}

function isId(id: Json | undefined): boolean {
  return typeof id === "string" || typeof id === "number" || id === null;
}

/** Returns the `id` of a request; null if it has no valid one. */
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

const configPath = "/tasks/([^/]+)/pushNotificationConfigs";

const routes: readonly AgentRoute[] = [
  { method: "POST", path: /^\/message:send$/, operation: "SendMessage", body: true },
  { method: "POST", path: /^\/message:stream$/, operation: "SendStreamingMessage", body: true },
  { method: "POST", path: /^\/tasks\/([^/]+):cancel$/, operation: "CancelTask", body: true },
  { method: "POST", path: /^\/tasks\/([^/]+):subscribe$/, operation: "SubscribeToTask" },
  { method: "GET", path: /^\/tasks\/([^/]+):subscribe$/, operation: "SubscribeToTask" },
  { method: "GET", path: /^\/tasks\/([^/]+)$/, operation: "GetTask" },
  { method: "GET", path: /^\/tasks$/, operation: "ListTasks" },
  { method: "POST", path: new RegExp(`^${configPath}$`), operation: "CreateTaskPushNotificationConfig", body: true },
  { method: "GET", path: new RegExp(`^${configPath}$`), operation: "ListTaskPushNotificationConfigs" },
  { method: "GET", path: new RegExp(`^${configPath}/([^/]+)$`), operation: "GetTaskPushNotificationConfig" },
  { method: "DELETE", path: new RegExp(`^${configPath}/([^/]+)$`), operation: "DeleteTaskPushNotificationConfig" },
  { method: "GET", path: /^\/extendedAgentCard$/, operation: "GetExtendedAgentCard" },
];

/** Reads the call from a REST request. Throws a refusal for an invalid request. */
export function readRestCall(
  { policy, settings: { tenant = "" } }: ReferenceAgent,
  { method, target, bytes }: InterfaceRequest,
  facts: CallFacts,
): AgentCall {
  const [fullPath = "", query = ""] = target.split("?", 2);
  const prefix = `/${encodeURIComponent(tenant)}`;
  const hasTenantPrefix = tenant !== "" && (fullPath === prefix || fullPath.startsWith(`${prefix}/`));
  const path = hasTenantPrefix ? fullPath.slice(prefix.length) : fullPath;
  const route = routes.find((agentRoute) => agentRoute.method === method && agentRoute.path.test(path));
  if (route === undefined) throw new AgentRefusal("MethodNotFound", `there is no ${method} ${path.slice(0, 80)}`);
  const [, first, second] = (route.path.exec(path) ?? []).map((part) => decodePart(policy, part ?? ""));
  const { operation } = route;
  const bodyOrQuery = route.body === true ? parseBodyObject(bytes, operation) : paramsIn(query);
  const pathParams = pathParamsOf(operation, first, second);
  const tenantParam = hasTenantPrefix ? { tenant } : {};
  return { ...facts, binding: "HTTP+JSON", operation, params: { ...bodyOrQuery, ...pathParams, ...tenantParam } };
}

/** Returns the parameters in the variable segments of a path: a task, and a configuration of the task. */
function pathParamsOf(operation: OperationName, first: string | undefined, second: string | undefined): JsonObject {
  if (operation.includes("PushNotification"))
    return { taskId: first as Json, ...(second === undefined ? {} : { id: second }) };
  return first === undefined ? {} : { id: first };
}

function decodePart({ decodePathPart }: A2aPolicy, part: string): string {
  try {
    return decodePathPart(part);
  } catch {
    throw new AgentRefusal("InvalidParams", "the path is not encoded correctly");
  }
}

function parseBodyObject(bytes: Buffer, operation: OperationName): JsonObject {
  if (bytes.length === 0 && operation === "CancelTask") return {};
  const value = parseBody(bytes);
  if (!isObject(value)) throw new AgentRefusal("InvalidParams", "the body is not an object");
  return value;
}

const integerParameters = ["pageSize", "historyLength"];

/** Reads the parameters in a query. A value of the wrong type stays a string, and the operation then refuses it. */
function paramsIn(query: string): JsonObject {
  const pairs = [...new URLSearchParams(query)].filter(([name]) => name !== "A2A-Version");
  return Object.fromEntries(
    pairs.map(([name, value]): [string, Json] => {
      if (integerParameters.includes(name) && /^-?\d+(?:\.\d+)?$/.test(value)) return [name, Number(value)];
      return [name, name === "includeArtifacts" && /^(?:true|false)$/.test(value) ? value === "true" : value];
    }),
  );
}

/** Converts a refusal to an answer in the form of a binding. */
export function failureOf(binding: BindingName, { error, message, field }: CallFault, id: Json): AgentAnswer {
  const { code, status, reason, statusName }: TableError = errors[error];
  const info = reason === undefined ? [] : [{ "@type": errorInfoType, reason, domain: errorDomain }];
  const violation = {
    "@type": "type.googleapis.com/google.rpc.BadRequest",
    fieldViolations: [{ field: field ?? "", description: message }],
  };
  const details = [...info, ...(field === undefined ? [] : [violation])];
  if (binding === "HTTP+JSON") {
    const body = { error: { code: status, status: statusName, message, details } };
    return { status, headers: { "content-type": "application/a2a+json" }, body };
  }
  const data = details.length === 0 ? {} : { data: details };
  const body = { jsonrpc: "2.0", id, error: { code, message, ...data } };
  return { status: 200, headers: { "content-type": "application/json" }, body };
}

/** Converts a result to an answer in the form of a binding. */
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
