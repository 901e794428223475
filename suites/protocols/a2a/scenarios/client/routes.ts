import { isObject, type Json, type JsonObject, jsonOf } from "../../../../../schemas/index.ts";
import type { AgentInterface, CallName } from "../calls.ts";

/** A request of a client, read according to its binding. */
export interface ReadCall {
  binding: AgentInterface["binding"];
  /** Undefined if the request matches no route or no method. */
  operation: CallName | undefined;
  /** The parameters in JSON-RPC. Over HTTP+JSON: the members of the body, and the path and query values as strings. */
  params: JsonObject;
  /** The `id` of a JSON-RPC request. */
  id?: Json;
  /** The tenants that the request names in its path, query or body. */
  tenants: readonly string[];
  /** Whether the path has two slashes in a row. */
  hasDoubledSlash: boolean;
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

/** Reads the operation, the parameters and the tenants from a request. */
export function readCall(binding: AgentInterface["binding"], raw: RawCall): ReadCall {
  const body = jsonOf(raw.text);
  const query = queryIn(raw.query);
  const hasDoubledSlash = raw.path.includes("//");
  if (binding === "JSONRPC") {
    const { method, params = {}, id } = isObject(body) ? body : {};
    const paramMembers = isObject(params) ? params : {};
    const tenants = typeof paramMembers.tenant === "string" && paramMembers.tenant !== "" ? [paramMembers.tenant] : [];
    const call = { binding, params: paramMembers, tenants, hasDoubledSlash, query };
    return {
      ...call,
      operation: typeof method === "string" ? (method as CallName) : undefined,
      ...(id === undefined ? {} : { id }),
    };
  }
  const { operation, params, tenant } = routeOf(raw.method, raw.path);
  const { "A2A-Version": _, tenant: queryTenant, ...queryParams } = query;
  const bodyMembers = isObject(body) ? body : {};
  const tenants = [tenant, queryTenant, bodyMembers.tenant].filter(
    (name): name is string => typeof name === "string" && name !== "",
  );
  return {
    binding,
    operation,
    params: { ...queryParams, ...bodyMembers, ...params },
    tenants: [...new Set(tenants)],
    hasDoubledSlash,
    query,
  };
}

/** Parses a query. A plus sign stays a plus sign, not a space. */
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

/** Finds the operation for a path below an interface. A first segment that does not begin a route is a tenant. */
function routeOf(method: string, path: string): RoutedCall {
  const segments = path.split("/").filter((segment) => segment !== "");
  const [first = ""] = segments;
  const isRoute = /^(?:message(?::|%3A)(?:send|stream)|tasks|extendedAgentCard)$/i.test(first);
  const routeSegments = isRoute ? segments : segments.slice(1);
  const tenant = isRoute || segments.length === 0 ? {} : { tenant: decode(first) };
  return { ...operationAt(method, routeSegments), ...tenant };
}

function operationAt(
  method: string,
  [first = "", id, subresource, config, ...extraSegments]: readonly string[],
): RoutedCall {
  const noRoute: RoutedCall = { operation: undefined, params: {} };
  if (extraSegments.length > 0) return noRoute;
  const message = /^message(?::|%3A)(send|stream)$/i.exec(first)?.[1];
  if (message !== undefined && id === undefined && method === "POST")
    return { operation: message.toLowerCase() === "send" ? "SendMessage" : "SendStreamingMessage", params: {} };
  if (first === "extendedAgentCard" && id === undefined && method === "GET")
    return { operation: "GetExtendedAgentCard", params: {} };
  if (first !== "tasks") return noRoute;
  if (id === undefined) return method === "GET" ? { operation: "ListTasks", params: {} } : noRoute;
  if (subresource !== undefined)
    return subresource === "pushNotificationConfigs" ? configAt(method, id, config) : noRoute;
  const [, task = "", action = ""] = /^(.*?)(?:(?::|%3A)(cancel|subscribe))?$/is.exec(id) ?? [];
  const params = { id: decode(task) };
  if (action === "") return method === "GET" ? { operation: "GetTask", params } : noRoute;
  if (action.toLowerCase() === "cancel") return method === "POST" ? { operation: "CancelTask", params } : noRoute;
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
