import { walk } from "../../../../../generators/index.ts";
import { type Json, type JsonObject, pointer } from "../../../../../schemas/index.ts";
import { shortenType } from "../event.ts";
import type { Members } from "../messages.ts";
import { createSessionModel, type StepMembers } from "./model.ts";

/** Records a walk of these steps, separated by spaces, with some members of its messages replaced. */
export function sessionOf(steps: string, stepMembers: StepMembers = {}): JsonObject[] {
  return walk(createSessionModel(stepMembers), steps.split(" "));
}

/** Records a walk after a handshake with these requested and granted terms. */
export function sessionUnder(
  requested: Members,
  honored: Members,
  steps: string,
  stepMembers: StepMembers = {},
): JsonObject[] {
  const languages = ["en-GB"];
  return sessionOf(`request accepted ${steps}`, {
    request: { capabilities: dropUndefined({ languages, supports_confirmation_reply: true, ...requested }) },
    accepted: { honored_capabilities: dropUndefined({ languages, ...honored }) },
    ...stepMembers,
  });
}

/** Changes members in the messages of some entries, by their index. An undefined member is removed. */
export function varyMessages(trace: readonly JsonObject[], members: Readonly<Record<number, Members>>): JsonObject[] {
  return trace.map((entryPointer, index) =>
    members[index] === undefined ? entryPointer : withMembers(entryPointer, members[index]),
  );
}

function withMembers({ message, ...entry }: JsonObject, members: Members): JsonObject {
  return { ...entry, message: dropUndefined({ ...(message as JsonObject), ...members }) };
}

/** Drops undefined members. */
function dropUndefined(members: Members): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as JsonObject;
}

/** Numbers the events of each session. */
export function numberEvents(trace: readonly JsonObject[]): JsonObject[] {
  const counts = new Map<Json | undefined, number>();
  return trace.map((entry) => {
    const message = entry.message as JsonObject;
    const { session_id: id } = message;
    if (id === undefined) return entry;
    const number = counts.get(id) ?? 0;
    counts.set(id, number + 1);
    return { ...entry, message: { ...message, sequence_number: number } };
  });
}

/** Adds the recorder's time to each entry, given in seconds since the recording began. */
export function addTimes(trace: readonly JsonObject[], seconds: (index: number) => number): JsonObject[] {
  return trace.map((entry, index) => {
    const time = new Date(Date.UTC(2026, 0, 15, 9, 30) + Math.round(seconds(index) * 1000)).toISOString();
    return { ...entry, time: time.replace(".000Z", "Z") };
  });
}

/** Moves entries to a named subscription. */
export function sentOn(subscription: string, trace: readonly JsonObject[]): JsonObject[] {
  return trace.map((entry) => ({ from: entry.from as Json, subscription, message: entry.message as Json }));
}

/** Copies a recording to two subscriptions that both receive each event. Replies are sent on the first. */
export function onBoth(trace: readonly JsonObject[]): JsonObject[] {
  return trace.flatMap((entry) => [
    ...sentOn("a", [entry]),
    ...(entry.from === "producer" ? sentOn("b", [entry]) : []),
  ]);
}

/** Copies the nth event of a type, with a new id. */
export function copyOfMessage(trace: readonly JsonObject[], type: string, members: Members = {}, nth = 1): JsonObject {
  const original = pointer.at(entry(trace, type, nth), [...trace]) as JsonObject;
  return withMembers(original, { event_id: "evt_another", ...members });
}

/** Makes a JSON Pointer to the entry of the nth message of a type. Another entry can be inserted there. */
export function entry(trace: readonly JsonObject[], type: string, nth = 1): string {
  return messagePointer(trace, type, "", nth).replace(/\/message$/, "");
}

/** Makes a JSON Pointer to the message of the nth entry of a type (by default the first), or to a member of it. */
export function messagePointer(trace: readonly JsonObject[], type: string, member = "", nth = 1): string {
  const indexes = trace.flatMap(({ message }, index) =>
    shortenType(String((message as JsonObject | undefined)?.type)).endsWith(type) ? [index] : [],
  );
  const index = indexes[nth - 1];
  if (index === undefined)
    throw new Error(`message ${nth} of type ${type} is missing in a recording of ${trace.length} entries`);
  return pointer.append(`/${index}/message`, member).replace(/\/$/, "");
}
