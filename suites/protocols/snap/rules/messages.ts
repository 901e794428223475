import type { Json, JsonObject } from "../../../../schemas/index.ts";
import { a, keyB, type TestKey } from "./keys.ts";
import { digestOf, sign, signAgain, signedBytes, signedOf } from "./signature.ts";

/** Added or replaced members of a message; undefined removes one. */
type MoreMembers = Readonly<Record<string, Json | undefined>>;

/** The time at which the messages below are sent. */
const noonSeconds = 1768478400;

/** The content of a turn. */
export const saidMessage: JsonObject = { messageId: "turn-1", role: "user", parts: [{ text: "Is the bridge open?" }] };

/** A signed request from A to B; `more` replaces members. */
export function request(method: string, payload: JsonObject, members: MoreMembers = {}): JsonObject {
  return message({
    id: "msg-70",
    from: a.address.main,
    to: keyB.address.main,
    type: "request",
    method,
    payload,
    ...members,
  });
}

/** An unsigned response from B to A, as only requests need a signature: changing it has no further effect. */
export function unsignedResponse(method: string, payload: JsonObject, members: MoreMembers = {}): JsonObject {
  const from = { id: "ans-70", from: keyB.address.main, to: a.address.main, type: "response", method, payload };
  return message({ ...from, ...members, sig: undefined });
}

function message({ id, from, to, type, method, payload, ...members }: MoreMembers): JsonObject {
  const all = { id, version: "0.1", from, to, type, method, payload, timestamp: noonSeconds, sig: "", ...members };
  const presentMembers = Object.entries(all).filter(([, value]) => value !== undefined);
  return signAgain(Object.fromEntries(presentMembers) as JsonObject) as JsonObject;
}

/** Signs the message with the key, whatever its addresses. */
export function signedBy({ tweaked }: TestKey, message: JsonObject, signWith: typeof sign = sign): JsonObject {
  const signedMembers = signedOf(message);
  if (signedMembers === undefined) throw new Error("a message without the members that are signed");
  return { ...message, sig: signWith(digestOf(signedBytes(signedMembers)), tweaked) };
}
