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
 * unchanged. A value that is not a message is signed unseen.
 */
export function sealMessage(message: Json, by?: TestKey, how: typeof sign = sign): Json {
  if (!isObject(message) || typeof message.sig !== "string") return message;
  const key = by ?? (hasForm(message.from) ? keyOf(message.from) : undefined);
  const signed = looselySigned(message);
  if (key === undefined || signed === undefined) return message;
  return { ...message, sig: how(digestOf(signedBytes(signed)), key.tweaked) };
}

/** The signed members as text, whatever their types; undefined if the payload has no canonical form. */
function looselySigned(message: JsonObject): SignedMembers | undefined {
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
 * Signs a changed message with a signature that is as right, or wrong in the same way, as before. `isFit` says that it was
 * right.
 */
export function resealMessage(
  was: JsonObject,
  message: JsonObject,
  by: TestKey,
  { keep, sign: isForeign }: Pick<OutgoingMessage, "keep" | "sign">,
): { message: JsonObject; isFit: boolean } {
  if (typeof was.sig !== "string") return { message, isFit: false };
  const own = hasForm(was.from) ? keyOf(was.from) : undefined;
  const isMeant = keep.some((at) => pointer.areRelated(at, "/sig"));
  const anew = () => ({ message: sealMessage(message, by, signCheaply) as JsonObject, isFit: true });
  if (isForeign && !isMeant) return anew();
  const digest = digestWithin(was);
  if (own === undefined || digest === undefined || !isSignature(was.sig.toLowerCase()))
    return { message, isFit: false };
  // Our own signatures, right and wrong, are recognized without arithmetic on the curve; only others must be verified.
  if (isSigned(was.sig, digest, own.tweaked)) return anew();
  const sig = sealWrongly(was, was.sig, { message, own, by });
  if (sig !== undefined) return { message: { ...message, sig }, isFit: false };
  return isRight(was.sig, digest, own) ? anew() : { message, isFit: false };
}

function digestWithin(was: JsonObject): Uint8Array | undefined {
  const signed = looselySigned(was);
  return signed && digestOf(signedBytes(signed));
}

/** Whether a signature verifies for the sender and the digest, with any nonce. */
function isRight(sig: string, digest: Uint8Array, own: TestKey): boolean {
  if (!isSignature(sig) || outOfRange(sig) !== undefined) return false;
  const bytes = hexToBytes(sig);
  return isOnCurve(bytes.subarray(0, 32)) && verifier(bytes, hexToBytes(own.output))(digest);
}

/**
 * A signature with the same mistake for another message; undefined if a signature is wrong for every message. The
 * known mistakes and nonces are those of our vectors.
 */
function sealWrongly(
  was: JsonObject,
  given: string,
  { message, own, by }: { message: JsonObject; own: TestKey; by: TestKey },
): string | undefined {
  const [before, after] = [signedOf(was), signedOf(message)];
  if (before === undefined || after === undefined) return undefined;
  const digest = digestOf(signedBytes(before));
  const next = digestOf(signedBytes(after));
  if (given !== given.toLowerCase())
    return sign(digest, own.tweaked).toUpperCase() === given ? signCheaply(next, by.tweaked).toUpperCase() : undefined;
  if (outOfRange(given) !== undefined) return undefined;
  for (const [its, secret] of strangeKeys(own, by)) if (isSigned(given, digest, its)) return signCheaply(next, secret);
  const { sig: _old, ...bare } = was;
  const { sig: _new, ...rest } = message;
  const mistake = mistakes.find(({ digest: of }) => {
    const then = of(before, bare);
    return then !== undefined && isSigned(given, then, own.tweaked);
  });
  const wrong = mistake?.digest(after, rest);
  return wrong === undefined ? undefined : signCheaply(wrong, by.tweaked);
}

/** Private keys that may have signed instead of the sender, each with the key that repeats the mistake. */
function strangeKeys(own: TestKey, by: TestKey): [its: Uint8Array, again: Uint8Array][] {
  const others = [a, keyB, keyC].filter((key) => key !== own).flatMap(({ secret, tweaked }) => [tweaked, secret]);
  return [[own.secret, by.secret], ...others.map((key): [Uint8Array, Uint8Array] => [key, key])];
}
