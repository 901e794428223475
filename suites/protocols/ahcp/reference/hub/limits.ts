import { isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import type { RunningHub } from "./hub.ts";
import { fault, type HubReply } from "./reply.ts";

const minuteMs = 60_000;

/** Counts a submit, and refuses it if the rate is exceeded. A hub without credentials does not count, because it cannot distinguish callers. */
export function refuseOverRate(hub: RunningHub, principal: string | undefined): HubReply | undefined {
  if (principal === undefined) return undefined;
  const now = hub.clock.now();
  const recentTimes = (hub.submits.get(principal) ?? []).filter((time) => time > now - minuteMs && time <= now);
  hub.submits.set(principal, recentTimes);
  const [firstTime = now] = recentTimes;
  if (recentTimes.length >= hub.limits.requestsPerMinute)
    return limitReply("too many submits in a minute", firstTime + minuteMs - now);
  recentTimes.push(now);
  return undefined;
}

/** Refuses an ask or a task if the agent has too many open messages. */
export function refuseOverDepth(hub: RunningHub, agent: string, message: JsonObject): HubReply | undefined {
  if (hub.settings.credentials === undefined || message.type === "notify") return undefined;
  if (hub.policy.openCountFor(agent, hub.store) < hub.limits.inboxDepth) return undefined;
  return limitReply("too many messages are open", minuteMs);
}

function limitReply(message: string, milliseconds: number): HubReply {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  return fault("rate_limited", message, {}, { "retry-after": String(seconds) });
}

/** Refuses a message with a body or a Part larger than the published limits, in UTF-8 bytes, or with too many Parts. */
export function refuseOverSize({ limits, policy }: RunningHub, { body, context }: JsonObject): HubReply | undefined {
  if (typeof body === "string" && policy.sizeOf(body) > limits.bodyBytes)
    return fault("invalid_field", `/body has more than ${limits.bodyBytes} bytes`);
  const parts = Array.isArray(context) ? context : [];
  if (parts.length > limits.contextParts)
    return fault("invalid_field", `/context has more than ${limits.contextParts} parts`);
  const largeIndex = parts.findIndex((part) => policy.sizeOf(contentOf(part)) > limits.partBytes);
  return largeIndex === -1
    ? undefined
    : fault("invalid_field", `/context/${largeIndex} has more than ${limits.partBytes} bytes`);
}

/** The content of a Part, which alone counts toward its size. */
function contentOf(part: Json): string {
  if (!isObject(part)) return "";
  const { text, data = null, file = null } = part;
  return typeof text === "string" ? text : JSON.stringify(data ?? file);
}
