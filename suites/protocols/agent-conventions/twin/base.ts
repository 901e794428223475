import type { Json } from "../../../../schemas/index.ts";
import type { TwinFinding } from "../../../packs/twins/finding.ts";
import { get, type Message } from "./finding.ts";
import { parseTime } from "./time.ts";

const anyUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** The members of each category that contain a time, besides the timestamp; an asterisk means each item. */
const timeMembers: Record<string, string[][]> = {
  task: [["task", "deadline"]],
  status: [["context", "blocked_by", "resolution_eta"]],
  coord: [
    ["warning_details", "estimated_go_time"],
    ["warning_details", "preparation_deadline"],
    ["standby_details", "timeout"],
    ["go_details", "scheduled_time"],
  ],
  escalation: [["retry_after"], ["previous_attempts", "*", "timestamp"], ["timeout_details", "operation_started"]],
  ack: [
    ["understood_details", "estimated_completion_time"],
    ["completed_details", "completion_time"],
  ],
};

/** Checks the members that every message has, and all times. */
export function* checkBase({ all, category }: Message): Generator<TwinFinding> {
  const id = String(all.message_id);
  const idRule = { rule: "CONV-BASE-009", at: "/message_id" };
  if (!anyUuid.test(id)) yield { ...idRule, why: "is not a UUID", freedom: "format-uuid" };
  else if (!uuid4.test(id)) yield { ...idRule, why: "is not a UUID of version 4", freedom: "uuid-version-4" };
  yield* checkTimestamp(String(all.timestamp));
  for (const path of timeMembers[category] ?? [])
    for (const { at, value } of valuesAt(all, path)) yield* checkOtherTime(at, String(value));
  if (all.sender === "broadcast")
    yield { rule: "CONV-BASE-015", at: "/sender", why: "is broadcast", freedom: "base-015" };
  if ((category === "escalation" || category === "ack") && all.recipient === "broadcast")
    yield { rule: "CONV-BASE-016", at: "/recipient", why: "is broadcast", freedom: "base-016" };
}

function* checkTimestamp(text: string): Generator<TwinFinding> {
  const location = { rule: "CONV-BASE-010", at: "/timestamp" };
  const time = parseTime(text);
  if (time === undefined) yield { ...location, why: "is not a time", freedom: "format-date-time" };
  for (const feature of time?.features ?? [])
    yield { ...location, why: feature, freedom: feature === "offset" ? "timestamp-utc" : `time-${feature}` };
}

function* checkOtherTime(at: string, text: string): Generator<TwinFinding> {
  const location = { rule: "CONV-BASE-011", at };
  const time = parseTime(text);
  if (time === undefined) yield { ...location, why: "is not a time", freedom: "format-date-time" };
  for (const feature of time?.features ?? []) {
    const isZone = feature === "offset" || feature === "zero-offset";
    yield { ...location, why: feature, freedom: isZone ? "other-times-utc" : `time-${feature}` };
  }
}

function* valuesAt(value: Json, path: readonly string[], at = ""): Generator<{ at: string; value: Json }> {
  const [name, ...remaining] = path;
  if (name === undefined) yield { at, value };
  else if (name === "*" && Array.isArray(value))
    for (const [index, item] of value.entries()) yield* valuesAt(item, remaining, `${at}/${index}`);
  else {
    const members = get(value, name);
    if (members !== undefined) yield* valuesAt(members, remaining, `${at}/${name}`);
  }
}
