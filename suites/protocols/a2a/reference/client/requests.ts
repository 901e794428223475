import { isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import type { ClientCall, ClientPolicy, ClientRequest } from "./client.ts";

/** Makes the request for a call, in the form of its binding. */
export function makeRequest(policy: ClientPolicy, call: ClientCall): ClientRequest {
  const { order, endpoint } = call;
  const credentials = credentialsFor(call);
  const headers: Record<string, string> = {
    "a2a-version": "1.0",
    ...(order.extensions.length === 0 ? {} : { "a2a-extensions": order.extensions.join(",") }),
    ...credentials.headers,
    accept: /Stream|Subscribe/.test(order.operation) ? "text/event-stream, application/json" : "application/json",
  };
  const request = endpoint.binding === "JSONRPC" ? makeRpcRequest(call) : makeRestRequest(policy, call);
  const mediaType = endpoint.binding === "JSONRPC" ? "application/json" : "application/a2a+json";
  return policy.changeRequest(
    {
      ...request,
      url: withQuery(request.url, credentials.query),
      headers: request.body === undefined ? headers : { ...headers, "content-type": mediaType },
    },
    call,
  );
}

function makeRpcRequest({
  order: { operation, params },
  endpoint: { url, tenant },
  id,
}: ClientCall): Omit<ClientRequest, "headers"> {
  const paramsWithTenant = tenant === undefined ? params : { tenant, ...params };
  return { method: "POST", url, body: { jsonrpc: "2.0", id, method: operation, params: paramsWithTenant } };
}

function makeRestRequest(policy: ClientPolicy, call: ClientCall): Omit<ClientRequest, "headers"> {
  const { order, endpoint } = call;
  const { method, path, query = {}, body } = routeOf(policy, order.operation, order.params);
  const prefix = endpoint.tenant === undefined ? "" : `/${encodeURIComponent(endpoint.tenant)}`;
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${policy.encode(String(value))}`);
  const queryString = pairs.length === 0 ? "" : `?${pairs.join("&")}`;
  return { method, url: `${endpoint.url.replace(/\/$/, "")}${prefix}${path}${queryString}`, body };
}

interface Route {
  method: string;
  path: string;
  query?: JsonObject;
  body: Json | undefined;
}

function routeOf(policy: ClientPolicy, operation: string, { id = "", taskId = "", ...otherParams }: JsonObject): Route {
  const segment = (value: Json): string => policy.encode(String(value));
  const task = `/tasks/${segment(operation.includes("PushNotification") ? taskId : id)}`;
  const configs = `${task}/pushNotificationConfigs`;
  switch (operation) {
    case "SendMessage":
      return { method: "POST", path: "/message:send", body: otherParams };
    case "SendStreamingMessage":
      return { method: "POST", path: "/message:stream", body: otherParams };
    case "GetTask":
      return { method: "GET", path: task, query: otherParams, body: undefined };
    case "ListTasks":
      return { method: "GET", path: "/tasks", query: otherParams, body: undefined };
    case "CancelTask":
      return { method: "POST", path: `${task}:cancel`, body: otherParams };
    case "SubscribeToTask":
      return { method: "POST", path: `${task}:subscribe`, body: undefined };
    case "CreateTaskPushNotificationConfig":
      return { method: "POST", path: configs, body: id === "" ? otherParams : { id, ...otherParams } };
    case "ListTaskPushNotificationConfigs":
      return { method: "GET", path: configs, query: otherParams, body: undefined };
    case "GetExtendedAgentCard":
      return { method: "GET", path: "/extendedAgentCard", body: undefined };
    default:
      return {
        method: operation.startsWith("Delete") ? "DELETE" : "GET",
        path: `${configs}/${segment(id)}`,
        body: undefined,
      };
  }
}

interface PlacedCredentials {
  headers: Record<string, string>;
  query: [name: string, secret: string][];
}

/** Places the user's credentials as the schemes in the card require: in headers or in the query. */
function credentialsFor({ card, order: { credentials } }: ClientCall): PlacedCredentials {
  const schemes = isObject(card.securitySchemes) ? card.securitySchemes : {};
  const placedCredentials: PlacedCredentials = { headers: {}, query: [] };
  for (const [name, secret] of Object.entries(credentials)) {
    const scheme = schemes[name];
    const { httpAuthSecurityScheme: http, apiKeySecurityScheme: key } = isObject(scheme) ? scheme : {};
    if (isObject(http)) placedCredentials.headers.authorization = `${http.scheme} ${secret}`;
    else if (isObject(key)) addKey(placedCredentials, key, secret);
  }
  return placedCredentials;
}

function addKey({ headers, query }: PlacedCredentials, { location, name }: JsonObject, secret: string): void {
  if (location === "query") query.push([String(name), secret]);
  else if (location === "cookie") headers.cookie = `${name}=${secret}`;
  else headers[String(name).toLowerCase()] = secret;
}

function withQuery(url: string, pairs: PlacedCredentials["query"]): string {
  if (pairs.length === 0) return url;
  return `${url}${url.includes("?") ? "&" : "?"}${new URLSearchParams(pairs)}`;
}
