import type { Json, JsonObject } from "../../../../schemas/index.ts";
import { keyA, keyB, type TestKey } from "./keys.ts";
import { digestOf, sign, signAgain, signedBytes, signedOf } from "./signature.ts";

/** Added or replaced members of a message; undefined removes a member. */
type MessageMembers = Readonly<Record<string, Json | undefined>>;

/** The time at which the messages below are sent. */
const noonSeconds = 1768478400;

/** The content of a turn. */
export const exampleMessage: JsonObject = {
  messageId: "turn-1",
  role: "user",
  parts: [{ text: "Is the bridge open?" }],
};

/** Makes a signed request from A to B, with these members added, replaced or removed. */
export function request(method: string, payload: JsonObject, members: MessageMembers = {}): JsonObject {
  return createMessage({
    id: "msg-70",
    from: keyA.address.main,
    to: keyB.address.main,
    type: "request",
    method,
    payload,
    ...members,
  });
}

/** Makes an unsigned response from B to A. Only requests need a signature, so a change does not break any other rule. */
export function unsignedResponse(method: string, payload: JsonObject, members: MessageMembers = {}): JsonObject {
  const responseMembers = {
    id: "ans-70",
    from: keyB.address.main,
    to: keyA.address.main,
    type: "response",
    method,
    payload,
  };
  return createMessage({ ...responseMembers, ...members, sig: undefined });
}

function createMessage({ id, from, to, type, method, payload, ...members }: MessageMembers): JsonObject {
  const allMembers = {
    id,
    version: "0.1",
    from,
    to,
    type,
    method,
    payload,
    timestamp: noonSeconds,
    sig: "",
    ...members,
  };
  const presentMembers = Object.entries(allMembers).filter(([, value]) => value !== undefined);
  return signAgain(Object.fromEntries(presentMembers) as JsonObject) as JsonObject;
}

/** Signs a message with this key, whoever its sender is. */
export function signedBy({ tweaked }: TestKey, message: JsonObject, signWith: typeof sign = sign): JsonObject {
  const signedMembers = signedOf(message);
  if (signedMembers === undefined) throw new Error("the message lacks members that a signature covers");
  return { ...message, sig: signWith(digestOf(signedBytes(signedMembers)), tweaked) };
}
