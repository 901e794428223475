import { isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import type { ClientCall, ClientPolicy, ClientRequest } from "./client.ts";

/** The request of a call, in the form of its binding. */
export function requestOf(policy: ClientPolicy, call: ClientCall): ClientRequest {
  const { order, endpoint } = call;
  const shown = credentialsFor(call);
  const headers: Record<string, string> = {
    "a2a-version": "1.0",
    ...(order.extensions.length === 0 ? {} : { "a2a-extensions": order.extensions.join(",") }),
    ...shown.headers,
    accept: /Stream|Subscribe/.test(order.operation) ? "text/event-stream, application/json" : "application/json",
  };
  const request = endpoint.binding === "JSONRPC" ? overRpc(call) : overRest(policy, call);
  const type = endpoint.binding === "JSONRPC" ? "application/json" : "application/a2a+json";
  return policy.requests(
    {
      ...request,
      url: withQuery(request.url, shown.query),
      headers: request.body === undefined ? headers : { ...headers, "content-type": type },
    },
    call,
  );
}

function overRpc({
  order: { operation, params },
  endpoint: { url, tenant },
  id,
}: ClientCall): Omit<ClientRequest, "headers"> {
  const own = tenant === undefined ? params : { tenant, ...params };
  return { method: "POST", url, body: { jsonrpc: "2.0", id, method: operation, params: own } };
}

function overRest(policy: ClientPolicy, call: ClientCall): Omit<ClientRequest, "headers"> {
  const { order, endpoint } = call;
  const { method, at, query = {}, body } = routeOf(policy, order.operation, order.params);
  const prefix = endpoint.tenant === undefined ? "" : `/${encodeURIComponent(endpoint.tenant)}`;
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${policy.encodes(String(value))}`);
  const search = pairs.length === 0 ? "" : `?${pairs.join("&")}`;
  return { method, url: `${endpoint.url.replace(/\/$/, "")}${prefix}${at}${search}`, body };
}

interface Route {
  method: string;
  at: string;
  query?: JsonObject;
  body: Json | undefined;
}

function routeOf(policy: ClientPolicy, operation: string, { id = "", taskId = "", ...rest }: JsonObject): Route {
  const segment = (value: Json): string => policy.encodes(String(value));
  const task = `/tasks/${segment(operation.includes("PushNotification") ? taskId : id)}`;
  const configs = `${task}/pushNotificationConfigs`;
  switch (operation) {
    case "SendMessage":
      return { method: "POST", at: "/message:send", body: rest };
    case "SendStreamingMessage":
      return { method: "POST", at: "/message:stream", body: rest };
    case "GetTask":
      return { method: "GET", at: task, query: rest, body: undefined };
    case "ListTasks":
      return { method: "GET", at: "/tasks", query: rest, body: undefined };
    case "CancelTask":
      return { method: "POST", at: `${task}:cancel`, body: rest };
    case "SubscribeToTask":
      return { method: "POST", at: `${task}:subscribe`, body: undefined };
    case "CreateTaskPushNotificationConfig":
      return { method: "POST", at: configs, body: id === "" ? rest : { id, ...rest } };
    case "ListTaskPushNotificationConfigs":
      return { method: "GET", at: configs, query: rest, body: undefined };
    case "GetExtendedAgentCard":
      return { method: "GET", at: "/extendedAgentCard", body: undefined };
    default:
      return {
        method: operation.startsWith("Delete") ? "DELETE" : "GET",
        at: `${configs}/${segment(id)}`,
        body: undefined,
      };
  }
}

interface ShownCredentials {
  headers: Record<string, string>;
  query: [name: string, secret: string][];
}

/** The credentials that the card requires and the user has, in their places. */
function credentialsFor({ card, order: { credentials } }: ClientCall): ShownCredentials {
  const schemes = isObject(card.securitySchemes) ? card.securitySchemes : {};
  const shown: ShownCredentials = { headers: {}, query: [] };
  for (const [name, secret] of Object.entries(credentials)) {
    const scheme = schemes[name];
    const { httpAuthSecurityScheme: http, apiKeySecurityScheme: key } = isObject(scheme) ? scheme : {};
    if (isObject(http)) shown.headers.authorization = `${http.scheme} ${secret}`;
    else if (isObject(key)) showKey(shown, key, secret);
  }
  return shown;
}

function showKey({ headers, query }: ShownCredentials, { location, name }: JsonObject, secret: string): void {
  if (location === "query") query.push([String(name), secret]);
  else if (location === "cookie") headers.cookie = `${name}=${secret}`;
  else headers[String(name).toLowerCase()] = secret;
}

function withQuery(url: string, pairs: ShownCredentials["query"]): string {
  if (pairs.length === 0) return url;
  return `${url}${url.includes("?") ? "&" : "?"}${new URLSearchParams(pairs)}`;
}
