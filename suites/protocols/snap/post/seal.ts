import { hexToBytes } from "@noble/curves/utils.js";
import { isObject, type Json, type JsonObject, type OutgoingMessage, pointer } from "../../../../schemas/index.ts";
import { hasForm, isOnCurve } from "../rules/address.ts";
import { a, keyB, keyC, keyOf, type TestKey } from "../rules/keys.ts";
import { mistakes } from "../rules/mistakes.ts";
import {
  canonicalOf,
  digestOf,
  isSignature,
  isSigned,
  order,
  outOfRange,
  type SignedMembers,
  sign,
  signCheaply,
  signedBytes,
  signedOf,
  verifier,
} from "../rules/signature.ts";

/**
 * Signs a message that has a signature and comes from a test key, or with the given key; any other message stays
 * unchanged. The content of a value that is not a message is not examined.
 */
export function sealMessage(message: Json, by?: TestKey, signWith: typeof sign = sign): Json {
  if (!isObject(message) || typeof message.sig !== "string") return message;
  const key = by ?? (hasForm(message.from) ? keyOf(message.from) : undefined);
  const members = signedMembersLoosely(message);
  if (key === undefined || members === undefined) return message;
  return { ...message, sig: signWith(digestOf(signedBytes(members)), key.tweaked) };
}

/** The signed members as text, whatever their types; undefined if the payload has no canonical form. */
function signedMembersLoosely(message: JsonObject): SignedMembers | undefined {
  const text = (name: string): string => {
    const value = message[name] ?? "";
    return typeof value === "string" ? value : JSON.stringify(value);
  };
  const payload = canonicalOf(message.payload ?? null);
  if (payload === undefined) return undefined;
  const exact = signedOf(message);
  return exact ?? ({ ...Object.fromEntries(order.map((name) => [name, text(name)])), payload } as SignedMembers);
}

/**
 * Signs a changed message so that its signature is as right as before, or wrong in the same way. `isFit` says whether it was
 * right.
 */
export function resealMessage(
  was: JsonObject,
  message: JsonObject,
  by: TestKey,
  { keep, sign: isForeign }: Pick<OutgoingMessage, "keep" | "sign">,
): { message: JsonObject; isFit: boolean } {
  if (typeof was.sig !== "string") return { message, isFit: false };
  const senderKey = hasForm(was.from) ? keyOf(was.from) : undefined;
  const isMeant = keep.some((at) => pointer.areRelated(at, "/sig"));
  const sealAgain = () => ({ message: sealMessage(message, by, signCheaply) as JsonObject, isFit: true });
  if (isForeign && !isMeant) return sealAgain();
  const digest = digestWithin(was);
  if (senderKey === undefined || digest === undefined || !isSignature(was.sig.toLowerCase()))
    return { message, isFit: false };
  // The suite's own signatures, right and wrong, are recognized without arithmetic on the curve. Only others must be verified.
  if (isSigned(was.sig, digest, senderKey.tweaked)) return sealAgain();
  const sig = repeatMistake(was, was.sig, { message, own: senderKey, by });
  if (sig !== undefined) return { message: { ...message, sig }, isFit: false };
  return verifiesForSender(was.sig, digest, senderKey) ? sealAgain() : { message, isFit: false };
}

function digestWithin(was: JsonObject): Uint8Array | undefined {
  const members = signedMembersLoosely(was);
  return members && digestOf(signedBytes(members));
}

/** Whether a signature verifies for the sender and the digest, with any nonce. */
function verifiesForSender(sig: string, digest: Uint8Array, senderKey: TestKey): boolean {
  if (!isSignature(sig) || outOfRange(sig) !== undefined) return false;
  const bytes = hexToBytes(sig);
  return isOnCurve(bytes.subarray(0, 32)) && verifier(bytes, hexToBytes(senderKey.output))(digest);
}

/**
 * A signature with the same mistake for another message. Undefined if a signature would be wrong for every message. The
 * known mistakes and nonces are those of the published vectors.
 */
function repeatMistake(
  was: JsonObject,
  signature: string,
  { message, own: senderKey, by }: { message: JsonObject; own: TestKey; by: TestKey },
): string | undefined {
  const [before, after] = [signedOf(was), signedOf(message)];
  if (before === undefined || after === undefined) return undefined;
  const digest = digestOf(signedBytes(before));
  const next = digestOf(signedBytes(after));
  if (signature !== signature.toLowerCase())
    return sign(digest, senderKey.tweaked).toUpperCase() === signature
      ? signCheaply(next, by.tweaked).toUpperCase()
      : undefined;
  if (outOfRange(signature) !== undefined) return undefined;
  for (const [candidate, secret] of strangeKeys(senderKey, by))
    if (isSigned(signature, digest, candidate)) return signCheaply(next, secret);
  const { sig: _old, ...unsignedBefore } = was;
  const { sig: _new, ...unsignedAfter } = message;
  const mistake = mistakes.find(({ digest: of }) => {
    const digestBefore = of(before, unsignedBefore);
    return digestBefore !== undefined && isSigned(signature, digestBefore, senderKey.tweaked);
  });
  const wrongDigest = mistake?.digest(after, unsignedAfter);
  return wrongDigest === undefined ? undefined : signCheaply(wrongDigest, by.tweaked);
}

/** Private keys with which the message may have been signed instead of the sender's, each with the key that repeats the mistake. */
function strangeKeys(senderKey: TestKey, by: TestKey): [candidate: Uint8Array, repeatingKey: Uint8Array][] {
  const otherSecrets = [a, keyB, keyC]
    .filter((key) => key !== senderKey)
    .flatMap(({ secret, tweaked }) => [tweaked, secret]);
  return [[senderKey.secret, by.secret], ...otherSecrets.map((key): [Uint8Array, Uint8Array] => [key, key])];
}
