import { hexToBytes } from "@noble/curves/utils.js";
import { isObject, type Json, type JsonObject, type OutgoingMessage, pointer } from "../../../../schemas/index.ts";
import { hasForm, isOnCurve } from "../rules/address.ts";
import { keyA, keyB, keyC, keyOf, type TestKey } from "../rules/keys.ts";
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
 * Signs a signed message again, with the given key or with the test key of its sender. Any other value is returned
 * unchanged.
 */
export function sealMessage(message: Json, by?: TestKey, signWith: typeof sign = sign): Json {
  if (!isObject(message) || typeof message.sig !== "string") return message;
  const key = by ?? (hasForm(message.from) ? keyOf(message.from) : undefined);
  const members = signedMembersLoosely(message);
  if (key === undefined || members === undefined) return message;
  return { ...message, sig: signWith(digestOf(signedBytes(members)), key.tweaked) };
}

/** Returns the signed members as strings, even if they have wrong types. Undefined if the payload has no canonical form. */
function signedMembersLoosely(message: JsonObject): SignedMembers | undefined {
  const textOf = (name: string): string => {
    const value = message[name] ?? "";
    return typeof value === "string" ? value : JSON.stringify(value);
  };
  const payload = canonicalOf(message.payload ?? null);
  if (payload === undefined) return undefined;
  const strictMembers = signedOf(message);
  return (
    strictMembers ?? ({ ...Object.fromEntries(order.map((name) => [name, textOf(name)])), payload } as SignedMembers)
  );
}

/**
 * Signs a changed message again: correctly if the original was signed correctly, and otherwise with the same mistake.
 * `isFit` is true if the new signature is correct.
 */
export function resealMessage(
  was: JsonObject,
  message: JsonObject,
  by: TestKey,
  { keep, sign: isForeign }: Pick<OutgoingMessage, "keep" | "sign">,
): { message: JsonObject; isFit: boolean } {
  if (typeof was.sig !== "string") return { message, isFit: false };
  const senderKey = hasForm(was.from) ? keyOf(was.from) : undefined;
  const isAboutSignature = keep.some((at) => pointer.areRelated(at, "/sig"));
  const sealAgain = () => ({ message: sealMessage(message, by, signCheaply) as JsonObject, isFit: true });
  if (isForeign && !isAboutSignature) return sealAgain();
  const digest = digestOfMessage(was);
  if (senderKey === undefined || digest === undefined || !isSignature(was.sig.toLowerCase()))
    return { message, isFit: false };
  // The suite's own signatures, correct or not, are recognized by comparison. Only others need slow curve arithmetic.
  if (isSigned(was.sig, digest, senderKey.tweaked)) return sealAgain();
  const sig = repeatMistake(was, was.sig, { message, senderKey, by });
  if (sig !== undefined) return { message: { ...message, sig }, isFit: false };
  return verifiesForSender(was.sig, digest, senderKey) ? sealAgain() : { message, isFit: false };
}

function digestOfMessage(was: JsonObject): Uint8Array | undefined {
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
 * Signs another message with the same mistake. Undefined if the mistake is unknown, or was not made in signing. The known
 * mistakes and nonces are those of the published vectors.
 */
function repeatMistake(
  was: JsonObject,
  signature: string,
  { message, senderKey, by }: { message: JsonObject; senderKey: TestKey; by: TestKey },
): string | undefined {
  const [oldMembers, newMembers] = [signedOf(was), signedOf(message)];
  if (oldMembers === undefined || newMembers === undefined) return undefined;
  const digest = digestOf(signedBytes(oldMembers));
  const newDigest = digestOf(signedBytes(newMembers));
  if (signature !== signature.toLowerCase())
    return sign(digest, senderKey.tweaked).toUpperCase() === signature
      ? signCheaply(newDigest, by.tweaked).toUpperCase()
      : undefined;
  if (outOfRange(signature) !== undefined) return undefined;
  for (const [candidate, secret] of wrongKeys(senderKey, by))
    if (isSigned(signature, digest, candidate)) return signCheaply(newDigest, secret);
  const { sig: _old, ...oldUnsigned } = was;
  const { sig: _new, ...newUnsigned } = message;
  const mistake = mistakes.find(({ digest: digestWithMistake }) => {
    const oldWrongDigest = digestWithMistake(oldMembers, oldUnsigned);
    return oldWrongDigest !== undefined && isSigned(signature, oldWrongDigest, senderKey.tweaked);
  });
  const newWrongDigest = mistake?.digest(newMembers, newUnsigned);
  return newWrongDigest === undefined ? undefined : signCheaply(newWrongDigest, by.tweaked);
}

/** Lists the wrong private keys that may have signed the message, each with the key that repeats the mistake. */
function wrongKeys(senderKey: TestKey, by: TestKey): [candidate: Uint8Array, repeatingKey: Uint8Array][] {
  const otherSecrets = [keyA, keyB, keyC]
    .filter((key) => key !== senderKey)
    .flatMap(({ secret, tweaked }) => [tweaked, secret]);
  return [[senderKey.secret, by.secret], ...otherSecrets.map((key): [Uint8Array, Uint8Array] => [key, key])];
}
