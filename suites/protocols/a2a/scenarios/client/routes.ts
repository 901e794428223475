import { isObject, type Json, type JsonObject, jsonOf } from "../../../../../schemas/index.ts";
import type { AgentInterface, CallName } from "../calls.ts";

/** A request, read by its binding. */
export interface ReadCall {
  binding: AgentInterface["binding"];
  /** Undefined if the request fits no route and no method. */
  operation: CallName | undefined;
  /** The parameters in JSON-RPC; over HTTP+JSON the body, the values in the path, and those in the query as texts. */
  params: JsonObject;
  /** The `id` of a JSON-RPC request. */
  id?: Json;
  /** The tenants that it names, in the path or as a member. */
  tenants: readonly string[];
  /** Whether its path joins segments with more than one slash. */
  isDoubled: boolean;
  /** The values in the query. */
  query: Readonly<Record<string, string>>;
}

export interface RawCall {
  method: string;
  /** The path below the interface. */
  path: string;
  query: string;
  text: string;
}

/** Reads a request. */
export function readCall(binding: AgentInterface["binding"], raw: RawCall): ReadCall {
  const body = jsonOf(raw.text);
  const query = queryIn(raw.query);
  const isDoubled = raw.path.includes("//");
  if (binding === "JSONRPC") {
    const { method, params = {}, id } = isObject(body) ? body : {};
    const given = isObject(params) ? params : {};
    const named = typeof given.tenant === "string" && given.tenant !== "" ? [given.tenant] : [];
    const call = { binding, params: given, tenants: named, isDoubled, query };
    return {
      ...call,
      operation: typeof method === "string" ? (method as CallName) : undefined,
      ...(id === undefined ? {} : { id }),
    };
  }
  const { operation, params, tenant } = routeOf(raw.method, raw.path);
  const { "A2A-Version": _, tenant: inQuery, ...values } = query;
  const own = isObject(body) ? body : {};
  const tenants = [tenant, inQuery, own.tenant].filter(
    (each): each is string => typeof each === "string" && each !== "",
  );
  return {
    binding,
    operation,
    params: { ...values, ...own, ...params },
    tenants: [...new Set(tenants)],
    isDoubled,
    query,
  };
}

/** The names and values of a query; a plus sign may be literal. */
function queryIn(text: string): Record<string, string> {
  const pairs = text.split("&").filter((pair) => pair !== "");
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = "", value = ""] = pair.split(/=(.*)/s);
      return [decode(name), decode(value)];
    }),
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

interface RoutedCall {
  operation: CallName | undefined;
  params: JsonObject;
  tenant?: string;
}

/** The operation of a path below an interface; a first segment that begins no route is a tenant. */
function routeOf(method: string, path: string): RoutedCall {
  const segments = path.split("/").filter((each) => each !== "");
  const [first = ""] = segments;
  const isRoute = /^(?:message(?::|%3A)(?:send|stream)|tasks|extendedAgentCard)$/i.test(first);
  const at = isRoute ? segments : segments.slice(1);
  const tenant = isRoute || segments.length === 0 ? {} : { tenant: decode(first) };
  return { ...operationAt(method, at), ...tenant };
}

function operationAt(method: string, [first = "", id, list, config, ...more]: readonly string[]): RoutedCall {
  const none: RoutedCall = { operation: undefined, params: {} };
  if (more.length > 0) return none;
  const message = /^message(?::|%3A)(send|stream)$/i.exec(first)?.[1];
  if (message !== undefined && id === undefined && method === "POST")
    return { operation: message.toLowerCase() === "send" ? "SendMessage" : "SendStreamingMessage", params: {} };
  if (first === "extendedAgentCard" && id === undefined && method === "GET")
    return { operation: "GetExtendedAgentCard", params: {} };
  if (first !== "tasks") return none;
  if (id === undefined) return method === "GET" ? { operation: "ListTasks", params: {} } : none;
  if (list !== undefined) return list === "pushNotificationConfigs" ? configAt(method, id, config) : none;
  const [, task = "", verb = ""] = /^(.*?)(?:(?::|%3A)(cancel|subscribe))?$/is.exec(id) ?? [];
  const params = { id: decode(task) };
  if (verb === "") return method === "GET" ? { operation: "GetTask", params } : none;
  if (verb.toLowerCase() === "cancel") return method === "POST" ? { operation: "CancelTask", params } : none;
  return { operation: "SubscribeToTask", params };
}

function configAt(method: string, task: string, config: string | undefined): RoutedCall {
  const params = { taskId: decode(task), ...(config === undefined ? {} : { id: decode(config) }) };
  const operations: Record<string, CallName> =
    config === undefined
      ? { POST: "CreateTaskPushNotificationConfig", GET: "ListTaskPushNotificationConfigs" }
      : { GET: "GetTaskPushNotificationConfig", DELETE: "DeleteTaskPushNotificationConfig" };
  return { operation: operations[method], params };
}
