import { isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import { type AgentCall, type AgentCheck, AgentRefusal, type ReferenceAgent } from "./agent.ts";
import { cardOf, offeredFeatures } from "./card.ts";

/** The states that a filter of tasks may name. */
const taskStates = [
  "SUBMITTED",
  "WORKING",
  "COMPLETED",
  "FAILED",
  "CANCELED",
  "INPUT_REQUIRED",
  "REJECTED",
  "AUTH_REQUIRED",
].map((word) => `TASK_STATE_${word}`);

function isText(value: Json | undefined): value is string {
  return typeof value === "string" && value !== "";
}

/** Throws unless a condition is true, if the agent makes this check. */
function requireParam(
  agent: ReferenceAgent,
  call: AgentCall,
  check: AgentCheck,
  [holds, field, why]: [boolean, string, string],
) {
  if (!holds && agent.policy.makesCheck(check, call)) throw new AgentRefusal("InvalidParams", `${field} ${why}`, field);
}

/** Checks for every operation: version, required extensions, credential, capability. Throws the refusal. */
export function checkCall(agent: ReferenceAgent, call: AgentCall): void {
  const { headers, operation } = call;
  const { makesCheck } = agent.policy;
  const version = headers["a2a-version"] ?? "";
  if (!/^1\.0(?:\.\d+)?$/.test(version) && makesCheck("version", call))
    throw new AgentRefusal("VersionNotSupported", `version ${version === "" ? "0.3" : version} is not offered, 1.0 is`);
  const offered = offeredFeatures(agent);
  const usedExtensions = extensionsIn(call);
  const isMessage = operation === "SendMessage" || operation === "SendStreamingMessage";
  const missingExtension = offered.required.find((uri) => !usedExtensions.includes(uri));
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

/** The extensions that a request names. */
export function extensionsIn({ headers }: Pick<AgentCall, "headers">): string[] {
  return (headers["a2a-extensions"] ?? "")
    .split(",")
    .map((uri) => uri.trim())
    .filter((uri) => uri !== "");
}

/** Checks the parameters of a message. Throws the refusal. */
export function checkMessage(agent: ReferenceAgent, call: AgentCall): JsonObject {
  const { message, configuration } = call.params;
  const require = (check: AgentCheck, ...condition: [boolean, string, string]): void =>
    requireParam(agent, call, check, condition);
  require("message", isObject(message), "message", "is not an object");
  if (!isObject(message)) return { messageId: "", role: "ROLE_USER", parts: [{ text: "" }] };
  require("ids", isText(message.messageId), "message.messageId", "is no text");
  require("role", message.role === "ROLE_USER", "message.role", "is not ROLE_USER");
  const { parts } = message;
  require("message", Array.isArray(parts) && parts.length > 0, "message.parts", "is not a list with parts");
  for (const part of Array.isArray(parts) ? parts : []) checkPart(agent, call, part);
  for (const name of ["taskId", "contextId"])
    require("ids", message[name] === undefined || typeof message[name] === "string", `message.${name}`, "is no text");
  require("params", configuration === undefined || isObject(configuration), "configuration", "is not an object");
  if (isObject(configuration)) checkCount(agent, call, configuration.historyLength, "configuration.historyLength");
  return message;
}

function checkPart(agent: ReferenceAgent, call: AgentCall, part: Json): void {
  const requirePart = (holds: boolean, why: string): void =>
    requireParam(agent, call, "parts", [holds, "message.parts", why]);
  requirePart(isObject(part), "has a part that is not an object");
  if (!isObject(part)) return;
  const contents = ["text", "raw", "url", "data"].filter((name) => Object.hasOwn(part, name));
  requirePart(contents.length === 1, "has a part without exactly one of text, raw, url and data");
  for (const name of ["text", "raw", "url", "filename", "mediaType"])
    requirePart(part[name] === undefined || typeof part[name] === "string", `has a part whose ${name} is no text`);
  const { raw, mediaType } = part;
  const isBase64 = typeof raw !== "string" || /^[\w+/-]*={0,2}$/.test(raw);
  requirePart(isBase64, "has a part whose raw is not base64");
  const modes = cardOf(agent).defaultInputModes as string[];
  const isAccepted = typeof mediaType !== "string" || modes.includes(mediaType.split(";")[0]?.trim() ?? "");
  if (!isAccepted && agent.policy.makesCheck("content", call))
    throw new AgentRefusal("ContentTypeNotSupported", `parts of ${mediaType} are not taken`, "message.parts");
}

/** The requested number of messages; undefined for no limit. */
function checkCount(agent: ReferenceAgent, call: AgentCall, value: Json | undefined, field: string): void {
  const holds =
    value === undefined || (Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31);
  requireParam(agent, call, "history-length", [holds, field, "is not a whole number from 0"]);
}

/** The id of a task or of a configuration in a request. */
export function checkId(agent: ReferenceAgent, call: AgentCall, name: "id" | "taskId"): string {
  const value = call.params[name];
  requireParam(agent, call, "params", [isText(value), name, "is no text"]);
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
  artifacts: boolean;
}

export function checkFilter(agent: ReferenceAgent, call: AgentCall): TaskFilter {
  const { pageSize, status, contextId, statusTimestampAfter: after, includeArtifacts } = call.params;
  const require = (check: AgentCheck, ...condition: [boolean, string, string]): void =>
    requireParam(agent, call, check, condition);
  const isSize = Number.isInteger(pageSize) && (pageSize as number) >= 1 && (pageSize as number) <= 100;
  require("page-size", pageSize === undefined || isSize, "pageSize", "is not from 1 to 100");
  const isState = typeof status === "string" && taskStates.includes(status);
  require("filter", status === undefined || status === "TASK_STATE_UNSPECIFIED" || isState, "status", "is no state");
  const isInstant =
    typeof after === "string" && /^\d{4}-.*(?:Z|[+-]\d\d:\d\d)$/.test(after) && !Number.isNaN(Date.parse(after));
  require("timestamp", after === undefined || isInstant, "statusTimestampAfter", "is no instant");
  const isFlag = includeArtifacts === undefined || typeof includeArtifacts === "boolean";
  require("params", isFlag, "includeArtifacts", "is neither true nor false");
  return {
    pageSize: isSize ? (pageSize as number) : 50,
    ...(typeof contextId === "string" && contextId !== "" ? { contextId } : {}),
    ...(isState ? { status } : {}),
    ...(isInstant ? { after: Date.parse(after) } : {}),
    historyLength: checkHistory(agent, call),
    artifacts: includeArtifacts === true,
  };
}

/** Checks a configuration of webhooks. Throws the refusal. */
export function checkConfig(agent: ReferenceAgent, call: AgentCall, config: Json | undefined): JsonObject {
  const require = (check: AgentCheck, ...condition: [boolean, string, string]): void =>
    requireParam(agent, call, check, condition);
  require("params", isObject(config), "taskPushNotificationConfig", "is not an object");
  const { url, authentication, id } = isObject(config) ? config : {};
  require("push-url", isText(url) && isWebAddress(url), "url", "is no http or https address");
  const isLocalAddress = agent.settings.isProduction === true && isText(url) && isWebAddress(url) && isLocalHost(url);
  require("inward", !isLocalAddress, "url", "is an address of this network");
  const isScheme = authentication === undefined || (isObject(authentication) && isText(authentication.scheme));
  require("params", isScheme, "authentication", "has no scheme");
  require("params", id === undefined || typeof id === "string", "id", "is no text");
  return isObject(config) ? config : {};
}

/** Whether an address is on this machine, or on a network that only this machine can reach. */
function isLocalHost(url: string): boolean {
  const host = new URL(url).hostname;
  return host === "localhost" || /^(?:127|10)\.|^192\.168\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^\[/.test(host);
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
