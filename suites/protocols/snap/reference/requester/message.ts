import { isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import { hasForm, networkOf } from "../../rules/address.ts";
import { signedBy } from "../../rules/messages.ts";
import { digestOf, isSignature, signCheaply, signedBytes, signedOf, verify } from "../../rules/signature.ts";
import { type Requester, SnapFailure } from "./requester.ts";

/** Creates a signed request to an address. */
export function requestTo(
  requester: Requester,
  to: string | undefined,
  method: string,
  payload: JsonObject,
): JsonObject {
  const { key, policy } = requester;
  const from = key.address[to === undefined ? "main" : networkOf(to)];
  const message: JsonObject = {
    id: policy.id(requester),
    version: "0.1",
    from,
    ...(to === undefined ? {} : { to }),
    type: "request",
    method,
    payload,
    timestamp: Math.floor(Date.now() / 1000),
  };
  return policy.signs(policy.editRequest(message, requester), (unsigned) => signedBy(key, unsigned, signCheaply));
}

/** Throws a SnapFailure if the requester and the agent have no version in common. */
export function agree({ policy }: Requester, card: JsonObject): void {
  const versions = card.supportedVersions ?? (card.protocolVersion === undefined ? ["0.1"] : [card.protocolVersion]);
  const supportedVersions = Array.isArray(versions) ? versions : [];
  if (policy.sendsAnyway || policy.versions.some((version) => supportedVersions.includes(version))) return;
  throw new SnapFailure(5004, `no version in common: the agent supports ${supportedVersions.join(", ")}`);
}

/** Returns a value if it is a trusted answer to a request. Throws a SnapFailure otherwise. */
export function checkAnswer({ policy }: Requester, request: JsonObject, value: Json | undefined): JsonObject {
  if (!isObject(value) || !isObject(value.payload)) throw new SnapFailure(1003, "the answer is not a message");
  const { type, from, to, sig, timestamp } = value;
  if (type !== "response" && type !== "event") throw new SnapFailure(1003, `the answer is of type ${type}`);
  if (policy.checkedMembers.sender && from !== request.to) throw new SnapFailure(2003, `the answer is from ${from}`);
  if (policy.checkedMembers.recipient && to !== request.from) throw new SnapFailure(2003, `the answer is for ${to}`);
  if (sig === undefined) {
    if (!policy.acceptsUnsigned) throw new SnapFailure(2002, "the answer is not signed");
    return value;
  }
  const signedMembers = signedOf(value);
  const isSignatureValid =
    signedMembers !== undefined &&
    isSignature(sig) &&
    hasForm(from) &&
    verify(sig, digestOf(signedBytes(signedMembers)), from);
  if (policy.verifies(type, value) && !isSignatureValid)
    throw new SnapFailure(2001, "the signature of the answer does not verify");
  const isFresh = typeof timestamp === "number" && Math.abs(Date.now() / 1000 - timestamp) <= 60;
  if (policy.checkedMembers.time && type === "response" && !isFresh)
    throw new SnapFailure(2004, "the answer is not recent");
  return value;
}

/** Returns the error in an answer as a SnapFailure. Undefined if there is none. */
export function failureIn(value: JsonObject): SnapFailure | undefined {
  const error = isObject(value.payload) ? value.payload.error : undefined;
  if (!isObject(error)) return undefined;
  const { code, message, data } = error;
  const retryAfter = isObject(data) && typeof data.retryAfter === "number" ? data.retryAfter : undefined;
  return new SnapFailure(Number(code), String(message), retryAfter);
}
