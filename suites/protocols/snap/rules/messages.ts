import { createPatch } from "rfc6902";
import type { Change, DisputedCase, InvalidCase, Json, JsonObject } from "../../../../schemas/index.ts";
import { a, b, type TestKey } from "./keys.ts";
import { missigned } from "./mistakes.ts";
import { digestOf, resigned, sign, signedBytes, signedOf } from "./signature.ts";

/** Members that a message has besides, or instead; undefined takes one out. */
type More = Readonly<Record<string, Json | undefined>>;

/** When the messages below are sent. */
export const noon = 1768478400;

/** What is said in a turn. */
export const said: JsonObject = { messageId: "turn-1", role: "user", parts: [{ text: "Is the bridge open?" }] };

/** A task that is done, by every rule. */
export const done: JsonObject = {
  id: "task-12",
  contextId: "ctx-5",
  status: { state: "completed", timestamp: "2026-01-15T12:00:04Z" },
};

/** A signed request from A to B; members given win. */
export function request(method: string, payload: JsonObject, more: More = {}): JsonObject {
  return message({ id: "msg-70", from: a.address.main, to: b.address.main, type: "request", method, payload, ...more });
}

/** A signed response from B to A. */
export function response(method: string, payload: JsonObject, more: More = {}): JsonObject {
  return message({
    id: "ans-70",
    from: b.address.main,
    to: a.address.main,
    type: "response",
    method,
    payload,
    ...more,
  });
}

/** The same without a signature, which only requests need: what changes in it changes nothing else. */
export function unsigned(method: string, payload: JsonObject, more: More = {}): JsonObject {
  return response(method, payload, { ...more, sig: undefined });
}

function message({ id, from, to, type, method, payload, ...more }: More): JsonObject {
  const whole = { id, version: "0.1", from, to, type, method, payload, timestamp: noon, sig: "", ...more };
  const given = Object.entries(whole).filter(([, value]) => value !== undefined);
  return resigned(Object.fromEntries(given) as JsonObject) as JsonObject;
}

/** The message signed with the key, whatever its addresses say. */
export function signedBy({ tweaked }: TestKey, message: JsonObject, how: typeof sign = sign): JsonObject {
  const signed = signedOf(message);
  if (signed === undefined) throw new Error("a message without the members that are signed");
  return { ...message, sig: how(digestOf(signedBytes(signed)), tweaked) };
}

/** The message with the signature of somebody who makes the mistake. */
export function mistaken(parent: JsonObject, mistake: string, { tweaked }: TestKey = a): Change[] {
  const { sig: _sig, ...rest } = parent;
  return [{ op: "replace", path: "/sig", value: missigned(rest, mistake, tweaked) }];
}

/** What leads from one value to the other. */
export function between(parent: Json, other: Json): Change[] {
  return createPatch(parent, other);
}

/** An invalid case that replaces one member. */
export function replaced(name: string, says: string, path: string, value: Json, from?: string): InvalidCase {
  return { name, says, change: [{ op: "replace", path, value }], ...(from === undefined ? {} : { from }) };
}

/** An invalid case that adds one member. */
export function added(name: string, says: string, path: string, value: Json, from?: string): InvalidCase {
  return { name, says, change: [{ op: "add", path, value }], ...(from === undefined ? {} : { from }) };
}

/** An invalid case that takes one member out. */
export function removed(name: string, says: string, path: string, from?: string): InvalidCase {
  return { name, says, change: [{ op: "remove", path }], ...(from === undefined ? {} : { from }) };
}

/** An invalid case that is one only for receivers that refuse unknown members: others ignore them, at every level. */
export function ignorable(given: InvalidCase): DisputedCase {
  const { level: _level, involves: _involves, ...rest } = given;
  return {
    ...rest,
    readings: [
      { verdict: "invalid", by: ["closed"], why: "a receiver refuses them, as the schemas do" },
      { verdict: "valid", by: ["open"], why: "a receiver ignores them, as the prose tells it to" },
    ],
  };
}
