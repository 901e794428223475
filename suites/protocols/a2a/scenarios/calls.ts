import { type HttpReply, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { type ErrorName, errorInfoType, errors, type TableError } from "../errors.ts";

/** An interface that the agent's card declares. */
export interface AgentInterface {
  binding: "JSONRPC" | "HTTP+JSON";
  /** The path of its address, relative to the address of the target. */
  path: string;
  tenant: string | undefined;
}

export type CallName =
  | "SendMessage"
  | "SendStreamingMessage"
  | "GetTask"
  | "ListTasks"
  | "CancelTask"
  | "SubscribeToTask"
  | "CreateTaskPushNotificationConfig"
  | "GetTaskPushNotificationConfig"
  | "ListTaskPushNotificationConfigs"
  | "DeleteTaskPushNotificationConfig"
  | "GetExtendedAgentCard";

/** The HTTP request that calls an operation over a binding. */
export interface WireCall {
  method: string;
  path: string;
  body: Json | undefined;
  headers: Record<string, string>;
}

/** Makes the request that calls an operation at an interface. `params` are the parameters in their JSON-RPC form. */
export function wireCall(
  { binding, path, tenant }: AgentInterface,
  operation: CallName,
  params: JsonObject,
  id: Json,
): WireCall {
  if (binding === "JSONRPC") {
    const tenantParams = tenant === undefined ? params : { tenant, ...params };
    const body = { jsonrpc: "2.0", id, method: operation, params: tenantParams };
    return { method: "POST", path: path === "" ? "/" : path, body, headers: { "content-type": "application/json" } };
  }
  const prefix = `${path}${tenant === undefined ? "" : `/${encodeURIComponent(tenant)}`}`;
  const { method, path: operationPath, body: requestBody } = restCall(operation, params);
  const headers: Record<string, string> = requestBody === undefined ? {} : { "content-type": "application/a2a+json" };
  return { method, path: `${prefix}${operationPath}`, body: requestBody, headers };
}

function restCall(operation: CallName, params: JsonObject): { method: string; path: string; body: Json | undefined } {
  const { id = "", taskId = "", ...otherParams } = params;
  const taskPath = `/tasks/${encodeSegment(operation.includes("PushNotification") ? taskId : id)}`;
  const configsPath = `${taskPath}/pushNotificationConfigs`;
  switch (operation) {
    case "SendMessage":
      return { method: "POST", path: "/message:send", body: params };
    case "SendStreamingMessage":
      return { method: "POST", path: "/message:stream", body: params };
    case "GetTask":
      return { method: "GET", path: `${taskPath}${queryOf(otherParams)}`, body: undefined };
    case "ListTasks":
      return { method: "GET", path: `/tasks${queryOf(params)}`, body: undefined };
    case "CancelTask":
      return { method: "POST", path: `${taskPath}:cancel`, body: otherParams };
    case "SubscribeToTask":
      return { method: "POST", path: `${taskPath}:subscribe`, body: undefined };
    case "CreateTaskPushNotificationConfig":
      return { method: "POST", path: configsPath, body: id === "" ? otherParams : { id, ...otherParams } };
    case "GetTaskPushNotificationConfig":
      return { method: "GET", path: `${configsPath}/${encodeSegment(id)}`, body: undefined };
    case "ListTaskPushNotificationConfigs":
      return { method: "GET", path: `${configsPath}${queryOf(otherParams)}`, body: undefined };
    case "DeleteTaskPushNotificationConfig":
      return { method: "DELETE", path: `${configsPath}/${encodeSegment(id)}`, body: undefined };
    case "GetExtendedAgentCard":
      return { method: "GET", path: "/extendedAgentCard", body: undefined };
  }
}

function encodeSegment(value: Json): string {
  return encodeURIComponent(String(value)).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function queryOf(params: JsonObject): string {
  const queryMembers = Object.entries(params).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return queryMembers.length === 0 ? "" : `?${queryMembers.join("&")}`;
}

/** An error, as either binding reports it. */
export interface ReportedError {
  /** The HTTP status. */
  status: number;
  /** The JSON-RPC error code. */
  code?: number;
  /** The reason in its ErrorInfo. */
  reason?: string;
  message?: string;
  /** The object `error`, if there is one. */
  body?: JsonObject;
}

/** The result of a call. */
export interface CallResult {
  binding: AgentInterface["binding"];
  reply: Pick<HttpReply, "status" | "headers" | "text" | "json">;
  /** The evidence for expectations. */
  evidence: HttpReply | undefined;
  result?: Json;
  error?: ReportedError;
}

/** Reads the result or the error from an answer over a binding. */
export function readAnswer(
  binding: AgentInterface["binding"],
  reply: CallResult["reply"],
  evidence?: HttpReply,
): CallResult {
  const { status, json } = reply;
  const baseResult: CallResult = { binding, reply, evidence };
  const body = isObject(json) && isObject(json.error) ? json.error : undefined;
  if (binding === "JSONRPC") {
    if (body === undefined && status < 300 && isObject(json) && Object.hasOwn(json, "result"))
      return { ...baseResult, result: json.result ?? null };
  } else if (status < 300 && body === undefined && (json !== undefined || reply.text === ""))
    return { ...baseResult, result: json ?? null };
  const { code, message } = body ?? {};
  const reason = reasonIn(body);
  return {
    ...baseResult,
    error: {
      status,
      ...(binding === "JSONRPC" && typeof code === "number" ? { code } : {}),
      ...(reason === undefined ? {} : { reason }),
      ...(typeof message === "string" ? { message } : {}),
      ...(body === undefined ? {} : { body }),
    },
  };
}

/** Returns the details of an error, if they are a list. */
export function detailsOf({ body }: ReportedError, binding: AgentInterface["binding"]): Json[] {
  const details = binding === "JSONRPC" ? body?.data : body?.details;
  return Array.isArray(details) ? details : [];
}

function reasonIn(body: JsonObject | undefined): string | undefined {
  const errorDetails = [body?.data, body?.details].flatMap((details) => (Array.isArray(details) ? details : []));
  const info = errorDetails.filter(isObject).find((errorDetail) => errorDetail["@type"] === errorInfoType);
  return typeof info?.reason === "string" ? info.reason : undefined;
}

const reasons: ReadonlyMap<string, ErrorName> = new Map(
  (Object.entries(errors) as [ErrorName, TableError][]).flatMap(([name, { reason }]): [string, ErrorName][] =>
    reason === undefined ? [] : [[reason, name]],
  ),
);

/** Whether an answer is one of the named errors, in the form of its binding. */
export function isError({ binding, error }: CallResult, ...names: ErrorName[]): boolean {
  if (error === undefined) return false;
  if (binding === "JSONRPC") return names.some((name) => errors[name].code === error.code);
  const errorName = error.reason === undefined ? undefined : reasons.get(error.reason);
  if (errorName !== undefined) return names.includes(errorName);
  return names.some((name) => {
    const { status, statusIn100 }: TableError = errors[name];
    return error.status === status || error.status === statusIn100;
  });
}

/** Whether an answer reports a missing method or route, although the named object exists. */
export function isUnrouted({ binding, error }: CallResult): boolean {
  if (binding === "JSONRPC") return error?.code === errors.MethodNotFound.code;
  return error !== undefined && [404, 405, 501].includes(error.status) && error.reason === undefined;
}

/**
 * Whether an answer refuses parameters: −32602, the similar −32600, or HTTP 400 or 422. Over JSON-RPC a bare HTTP status
 * also counts: other rules report that it is not a JSON-RPC response.
 */
export function isInvalid(callResult: CallResult): boolean {
  const { binding, error } = callResult;
  if (binding === "JSONRPC" && error?.code !== undefined) return isError(callResult, "InvalidParams", "InvalidRequest");
  return error?.status === 400 || error?.status === 422;
}

/** Whether an answer is a server fault, which no request justifies. */
export function isServerFault({ binding, reply, error }: CallResult): boolean {
  return reply.status >= 500 || (binding === "JSONRPC" && error?.code === errors.Internal.code);
}

/** Describes an answer in a few words. */
export function describeAnswer({ reply, error, result }: CallResult): string {
  if (error === undefined) return `a result: ${JSON.stringify(result).slice(0, 160)}`;
  const bodyText = error.body === undefined ? reply.text.slice(0, 120) : JSON.stringify(error.body).slice(0, 200);
  return `HTTP ${error.status}: ${bodyText}`;
}

/** Describes an error by its name, code and status. */
export function nameError(name: ErrorName): string {
  const { code, status }: TableError = errors[name];
  return `${name}Error (${code}, or HTTP ${status})`;
}
