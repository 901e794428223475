import { type Checker, type Json, pointer } from "../../../../schemas/index.ts";
import { categoryOf, member, messages, textAt } from "./messages.ts";
import { momentOf, oddityOf, zoneOf } from "./time.ts";

const categories = ["task", "status", "coord", "escalation", "ack"];

/** The part of the type before the first dot selects the schema. */
const categoryChecker: Checker = {
  rule: "CONV-BASE-006",
  documents: ["message"],
  *check(message) {
    const type = member(message, "message_type");
    if (type === undefined) return;
    const at = "/message_type";
    if (typeof type !== "string") yield { at, why: `is ${JSON.stringify(type)}, which is not a string` };
    else if (!type.includes(".")) yield { at, why: `is "${type}", which has no dot` };
    else if (!categories.includes(categoryOf(message)))
      yield { at, why: `is "${type}", which does not start with a known category` };
  },
};

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{12}$/i;

const uuidChecker: Checker = {
  rule: "CONV-BASE-009",
  documents: messages,
  *check(message) {
    const acknowledgedId = textAt(message, "acknowledging_message_id");
    if (acknowledgedId !== undefined && !uuidForm.test(acknowledgedId))
      yield { at: "/acknowledging_message_id", why: `is "${acknowledgedId}", which is not a UUID` };
    const id = textAt(message, "message_id");
    if (id === undefined) return;
    const [, version, variant] = uuidForm.exec(id) ?? [];
    const at = "/message_id";
    if (version === undefined) yield { at, why: `is "${id}", which is not a UUID` };
    else if (version !== "4") yield { at, why: `is a UUID of version ${version}, not 4` };
    else if (!/[89ab]/i.test(variant as string))
      yield { at, why: `is a UUID with the variant "${variant}", not 8, 9, a or b` };
  },
};

const timestampChecker: Checker = {
  rule: "CONV-BASE-010",
  documents: messages,
  *check(message) {
    const time = textAt(message, "timestamp");
    if (time === undefined) return;
    const at = "/timestamp";
    if (momentOf(time) === undefined) yield { at, why: `is "${time}", which is not a valid time` };
    else if (zoneOf(time) === "UTC")
      yield { at, why: `is "${time}", which marks UTC differently than with Z`, level: "MAY" };
    else if (zoneOf(time) === "other") yield { at, why: `is "${time}", which is not in UTC` };
    const oddity = momentOf(time) === undefined ? undefined : oddityOf(time);
    if (oddity !== undefined) yield { at, why: oddity, level: "MAY" };
  },
};

/** JSON Pointers to the other members that contain a time, by document; an asterisk means each item. */
const timeMembers: Record<string, readonly string[]> = {
  task: ["/task/deadline"],
  status: ["/context/blocked_by/resolution_eta"],
  coordination: [
    "/warning_details/estimated_go_time",
    "/warning_details/preparation_deadline",
    "/standby_details/timeout",
    "/go_details/scheduled_time",
  ],
  escalation: ["/retry_after", "/previous_attempts/*/timestamp", "/timeout_details/operation_started"],
  acknowledgment: ["/understood_details/estimated_completion_time", "/completed_details/completion_time"],
};

const timesChecker: Checker = {
  rule: "CONV-BASE-011",
  documents: messages,
  *check(message, document) {
    for (const path of timeMembers[document] ?? []) {
      for (const at of expandPath(path, message)) {
        const time = pointer.at(at, message);
        if (typeof time !== "string") continue;
        if (momentOf(time) === undefined) yield { at, why: `is "${time}", which is not a valid time` };
        else if (zoneOf(time) !== "Z") yield { at, why: `is "${time}", which does not end in Z for UTC`, level: "MAY" };
        const oddity = momentOf(time) === undefined ? undefined : oddityOf(time);
        if (oddity !== undefined) yield { at, why: oddity, level: "MAY" };
      }
    }
  },
};

/** Expands an asterisk in a path to the indices of the list. */
function expandPath(path: string, message: Json): string[] {
  const [before = "", after] = path.split("/*");
  if (after === undefined) return [path];
  const list = pointer.at(before, message);
  return Array.isArray(list) ? list.map((_, index) => `${before}/${index}${after}`) : [];
}

/** Matches the names of members with a pattern in the schemas. */
const patternedMembers =
  /^(sender|recipient|task_id|cue_id|auto_follow|current_task|from_agent|to_agent|suggested_winner)$/;

const patternEndChecker: Checker = {
  rule: "CONV-BASE-012",
  documents: messages,
  *read(bytes) {
    let message: Json;
    try {
      message = JSON.parse(Buffer.from(bytes).toString("utf8")) as Json;
    } catch {
      return;
    }
    const pending: [at: string, value: Json][] = [["", message]];
    for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
      const [at, value] = entry;
      if (typeof value !== "object" || value === null) continue;
      for (const [name, part] of Object.entries(value)) {
        const place = pointer.append(at, name);
        if (typeof part === "string" && patternedMembers.test(name) && part.endsWith("\n"))
          yield { at: place, why: `is ${JSON.stringify(part)}, but a pattern allows no line feed at the end` };
        else pending.push([place, part]);
      }
    }
  },
};

export const baseCheckers: readonly Checker[] = [
  categoryChecker,
  uuidChecker,
  timestampChecker,
  timesChecker,
  patternEndChecker,
];
