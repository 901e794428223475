import type { Json, JsonObject } from "../../../../schemas/index.ts";
import { a, keyB, type TestKey } from "./keys.ts";
import { digestOf, sign, signAgain, signedBytes, signedOf } from "./signature.ts";

/** Added or replaced members of a message; undefined removes one. */
type MoreMembers = Readonly<Record<string, Json | undefined>>;

/** The time at which the messages below are sent. */
const noon = 1768478400;

/** The content of a turn. */
export const saidMessage: JsonObject = { messageId: "turn-1", role: "user", parts: [{ text: "Is the bridge open?" }] };

/** A signed request from A to B; `more` replaces members. */
export function request(method: string, payload: JsonObject, more: MoreMembers = {}): JsonObject {
  return message({
    id: "msg-70",
    from: a.address.main,
    to: keyB.address.main,
    type: "request",
    method,
    payload,
    ...more,
  });
}

/** An unsigned response from B to A, as only requests need a signature: changing it has no further effect. */
export function unsignedResponse(method: string, payload: JsonObject, more: MoreMembers = {}): JsonObject {
  const from = { id: "ans-70", from: keyB.address.main, to: a.address.main, type: "response", method, payload };
  return message({ ...from, ...more, sig: undefined });
}

function message({ id, from, to, type, method, payload, ...more }: MoreMembers): JsonObject {
  const whole = { id, version: "0.1", from, to, type, method, payload, timestamp: noon, sig: "", ...more };
  const given = Object.entries(whole).filter(([, value]) => value !== undefined);
  return signAgain(Object.fromEntries(given) as JsonObject) as JsonObject;
}

/** Signs the message with the key, whatever its addresses. */
export function signedBy({ tweaked }: TestKey, message: JsonObject, how: typeof sign = sign): JsonObject {
  const signed = signedOf(message);
  if (signed === undefined) throw new Error("a message without the members that are signed");
  return { ...message, sig: how(digestOf(signedBytes(signed)), tweaked) };
}
