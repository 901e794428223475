import { isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import { type AgentCall, type AgentCheck, AgentRefusal, type ReferenceAgent } from "./agent.ts";
import { cardOf, offeredFeatures } from "./card.ts";

/** The task states that a list filter may name. */
const taskStates = [
  "SUBMITTED",
  "WORKING",
  "COMPLETED",
  "FAILED",
  "CANCELED",
  "INPUT_REQUIRED",
  "REJECTED",
  "AUTH_REQUIRED",
].map((name) => `TASK_STATE_${name}`);

function isNonEmptyString(value: Json | undefined): value is string {
  return typeof value === "string" && value !== "";
}

/** Throws a refusal if the agent makes this check and the condition is false. */
function requireParam(
  agent: ReferenceAgent,
  call: AgentCall,
  check: AgentCheck,
  [isMet, field, why]: [boolean, string, string],
) {
  if (!isMet && agent.policy.makesCheck(check, call)) throw new AgentRefusal("InvalidParams", `${field} ${why}`, field);
}

/** Checks that apply to every operation: version, required extensions and capability. Throws a refusal. */
export function checkCall(agent: ReferenceAgent, call: AgentCall): void {
  const { headers, operation } = call;
  const { makesCheck } = agent.policy;
  const version = headers["a2a-version"] ?? "";
  if (!/^1\.0(?:\.\d+)?$/.test(version) && makesCheck("version", call))
    throw new AgentRefusal(
      "VersionNotSupported",
      `version ${version === "" ? "0.3" : version} is not supported; use 1.0`,
    );
  const offered = offeredFeatures(agent);
  const usedExtensions = extensionsIn(call);
  const isMessage = operation === "SendMessage" || operation === "SendStreamingMessage";
  const missingExtension = offered.requiredExtensions.find((uri) => !usedExtensions.includes(uri));
  if (isMessage && missingExtension !== undefined && makesCheck("extensions", call))
    throw new AgentRefusal("ExtensionSupportRequired", `the extension ${missingExtension} is required`);
  const otherFault = agent.policy.refuseCall(call, agent);
  if (otherFault !== undefined) throw new AgentRefusal(otherFault.error, otherFault.message, otherFault.field);
  if (!makesCheck("capability", call)) return;
  const isStream = operation === "SendStreamingMessage" || operation === "SubscribeToTask";
  if (isStream && !offered.streaming) throw new AgentRefusal("UnsupportedOperation", "streams are not offered");
  if (/PushNotification/.test(operation) && !offered.pushNotifications)
    throw new AgentRefusal("PushNotificationNotSupported", "push notifications are not offered");
  if (operation === "GetExtendedAgentCard" && !offered.extendedAgentCard)
    throw new AgentRefusal("UnsupportedOperation", "there is no extended card");
}

/** Lists the extensions that a request names. */
export function extensionsIn({ headers }: Pick<AgentCall, "headers">): string[] {
  return (headers["a2a-extensions"] ?? "")
    .split(",")
    .map((uri) => uri.trim())
    .filter((uri) => uri !== "");
}

/** Checks the parameters of a message. Throws a refusal for invalid parameters. */
export function checkMessage(agent: ReferenceAgent, call: AgentCall): JsonObject {
  const { message, configuration } = call.params;
  const requireThat = (check: AgentCheck, ...condition: [boolean, string, string]): void =>
    requireParam(agent, call, check, condition);
  requireThat("message", isObject(message), "message", "is not an object");
  if (!isObject(message)) return { messageId: "", role: "ROLE_USER", parts: [{ text: "" }] };
  requireThat("ids", isNonEmptyString(message.messageId), "message.messageId", "is not a non-empty string");
  requireThat("role", message.role === "ROLE_USER", "message.role", "is not ROLE_USER");
  const { parts } = message;
  requireThat("message", Array.isArray(parts) && parts.length > 0, "message.parts", "is not a list with parts");
  for (const part of Array.isArray(parts) ? parts : []) checkPart(agent, call, part);
  for (const name of ["taskId", "contextId"])
    requireThat(
      "ids",
      message[name] === undefined || typeof message[name] === "string",
      `message.${name}`,
      "is not a string",
    );
  requireThat("params", configuration === undefined || isObject(configuration), "configuration", "is not an object");
  if (isObject(configuration)) checkCount(agent, call, configuration.historyLength, "configuration.historyLength");
  return message;
}

function checkPart(agent: ReferenceAgent, call: AgentCall, part: Json): void {
  const requirePart = (isMet: boolean, why: string): void =>
    requireParam(agent, call, "parts", [isMet, "message.parts", why]);
  requirePart(isObject(part), "has a part that is not an object");
  if (!isObject(part)) return;
  const contents = ["text", "raw", "url", "data"].filter((name) => Object.hasOwn(part, name));
  requirePart(contents.length === 1, "has a part without exactly one of text, raw, url and data");
  for (const name of ["text", "raw", "url", "filename", "mediaType"])
    requirePart(part[name] === undefined || typeof part[name] === "string", `has a part whose ${name} is not a string`);
  const { raw, mediaType } = part;
  const isBase64 = typeof raw !== "string" || /^[\w+/-]*={0,2}$/.test(raw);
  requirePart(isBase64, "has a part whose raw is not base64");
  const modes = cardOf(agent).defaultInputModes as string[];
  const isAccepted = typeof mediaType !== "string" || modes.includes(mediaType.split(";")[0]?.trim() ?? "");
  if (!isAccepted && agent.policy.makesCheck("content", call))
    throw new AgentRefusal(
      "ContentTypeNotSupported",
      `parts of the media type ${mediaType} are not accepted`,
      "message.parts",
    );
}

/** Checks a requested number of messages; undefined means no limit. */
function checkCount(agent: ReferenceAgent, call: AgentCall, value: Json | undefined, field: string): void {
  const isMet =
    value === undefined || (Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31);
  requireParam(agent, call, "history-length", [isMet, field, "is not a non-negative integer"]);
}

/** Returns the id of a task or of a configuration in a request. Throws a refusal for an invalid id. */
export function checkId(agent: ReferenceAgent, call: AgentCall, name: "id" | "taskId"): string {
  const value = call.params[name];
  requireParam(agent, call, "params", [isNonEmptyString(value), name, "is not a non-empty string"]);
  return String(value);
}

export function checkHistory(agent: ReferenceAgent, call: AgentCall): number | undefined {
  const { historyLength } = call.params;
  checkCount(agent, call, historyLength, "historyLength");
  return typeof historyLength === "number" && historyLength >= 0 ? Math.floor(historyLength) : undefined;
}

/** The filters of a request for tasks. */
export interface TaskFilter {
  pageSize: number;
  contextId?: string;
  status?: string;
  after?: number;
  historyLength: number | undefined;
  includesArtifacts: boolean;
}

export function checkFilter(agent: ReferenceAgent, call: AgentCall): TaskFilter {
  const { pageSize, status, contextId, statusTimestampAfter: after, includeArtifacts } = call.params;
  const requireThat = (check: AgentCheck, ...condition: [boolean, string, string]): void =>
    requireParam(agent, call, check, condition);
  const isSize = Number.isInteger(pageSize) && (pageSize as number) >= 1 && (pageSize as number) <= 100;
  requireThat("page-size", pageSize === undefined || isSize, "pageSize", "is not from 1 to 100");
  const isState = typeof status === "string" && taskStates.includes(status);
  requireThat(
    "filter",
    status === undefined || status === "TASK_STATE_UNSPECIFIED" || isState,
    "status",
    "is not a task state",
  );
  const isInstant =
    typeof after === "string" && /^\d{4}-.*(?:Z|[+-]\d\d:\d\d)$/.test(after) && !Number.isNaN(Date.parse(after));
  requireThat("timestamp", after === undefined || isInstant, "statusTimestampAfter", "is not a date-time");
  const isFlag = includeArtifacts === undefined || typeof includeArtifacts === "boolean";
  requireThat("params", isFlag, "includeArtifacts", "is neither true nor false");
  return {
    pageSize: isSize ? (pageSize as number) : 50,
    ...(typeof contextId === "string" && contextId !== "" ? { contextId } : {}),
    ...(isState ? { status } : {}),
    ...(isInstant ? { after: Date.parse(after) } : {}),
    historyLength: checkHistory(agent, call),
    includesArtifacts: includeArtifacts === true,
  };
}

/** Checks the configuration of a webhook. Throws a refusal for an invalid configuration. */
export function checkConfig(agent: ReferenceAgent, call: AgentCall, config: Json | undefined): JsonObject {
  const requireThat = (check: AgentCheck, ...condition: [boolean, string, string]): void =>
    requireParam(agent, call, check, condition);
  requireThat("params", isObject(config), "taskPushNotificationConfig", "is not an object");
  const { url, authentication, id } = isObject(config) ? config : {};
  requireThat("push-url", isNonEmptyString(url) && isWebAddress(url), "url", "is not an http or https address");
  const isLocalAddress =
    agent.settings.isProduction === true && isNonEmptyString(url) && isWebAddress(url) && isLocalHost(url);
  requireThat("inward", !isLocalAddress, "url", "is an address of this network");
  const isScheme =
    authentication === undefined || (isObject(authentication) && isNonEmptyString(authentication.scheme));
  requireThat("params", isScheme, "authentication", "has no scheme");
  requireThat("params", id === undefined || typeof id === "string", "id", "is not a string");
  return isObject(config) ? config : {};
}

/** Whether an address is on this machine or on a private network. */
function isLocalHost(url: string): boolean {
  const host = new URL(url).hostname;
  return host === "localhost" || /^(?:127|10)\.|^192\.168\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^\[/.test(host);
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
