import { hexToBytes } from "@noble/curves/utils.js";
import { isObject, type Json, type JsonObject, type Letter, pointer } from "../../../../schemas/index.ts";
import { hasForm, isOnCurve } from "../rules/address.ts";
import { a, b, c, keyOf, type TestKey } from "../rules/keys.ts";
import { mistakes } from "../rules/mistakes.ts";
import {
  canonicalOf,
  digestOf,
  isSignature,
  order,
  outOfRange,
  type Signed,
  sign,
  signedBytes,
  signedOf,
  verifier,
} from "../rules/signature.ts";

/**
 * The message with the signature that belongs to it, if it has one at all and comes from a test key or is signed by the one given; otherwise
 * as it is. What is no message is signed the way somebody would who does not look.
 */
export function sealed(message: Json, by?: TestKey): Json {
  if (!isObject(message) || typeof message.sig !== "string") return message;
  const key = by ?? (hasForm(message.from) ? keyOf(message.from) : undefined);
  const signed = looselySigned(message);
  if (key === undefined || signed === undefined) return message;
  return { ...message, sig: sign(digestOf(signedBytes(signed)), key.tweaked) };
}

/** The members as text, of whatever type; undefined where the payload has no canonical form. */
function looselySigned(message: JsonObject): Signed | undefined {
  const text = (name: string): string => {
    const value = message[name] ?? "";
    return typeof value === "string" ? value : JSON.stringify(value);
  };
  const payload = canonicalOf(message.payload ?? null);
  if (payload === undefined) return undefined;
  const exact = signedOf(message);
  return exact ?? ({ ...Object.fromEntries(order.map((name) => [name, text(name)])), payload } as Signed);
}

/**
 * A message that was made anew, with a signature as right as the one that it had, or wrong in the same way. `isFit` says that it is
 * the one that belongs to it.
 */
export function resealed(
  was: JsonObject,
  message: JsonObject,
  by: TestKey,
  { keep, sign: isForeign }: Pick<Letter, "keep" | "sign">,
): { message: JsonObject; isFit: boolean } {
  if (typeof was.sig !== "string") return { message, isFit: false };
  const own = hasForm(was.from) ? keyOf(was.from) : undefined;
  const isMeant = keep.some((at) => pointer.related(at, "/sig"));
  if ((isForeign && !isMeant) || isRight(was, was.sig, own))
    return { message: sealed(message, by) as JsonObject, isFit: true };
  const sig = own === undefined ? undefined : wrongly(was, was.sig, message, own, by);
  return { message: sig === undefined ? message : { ...message, sig }, isFit: false };
}

/** Whether a signature is the one that belongs to a message. To verify it takes a fraction of the time that to make it takes. */
function isRight(was: JsonObject, sig: string, own: TestKey | undefined): boolean {
  const signed = looselySigned(was);
  if (own === undefined || signed === undefined || !isSignature(sig) || outOfRange(sig) !== undefined) return false;
  const bytes = hexToBytes(sig);
  return isOnCurve(bytes.subarray(0, 32)) && verifier(bytes, hexToBytes(own.output))(digestOf(signedBytes(signed)));
}

/** The signature that makes the same mistake with another message; undefined for one that is wrong over any. */
function wrongly(was: JsonObject, given: string, message: JsonObject, own: TestKey, by: TestKey): string | undefined {
  const [before, after] = [signedOf(was), signedOf(message)];
  if (before === undefined || after === undefined || !isSignature(given.toLowerCase())) return undefined;
  const digest = digestOf(signedBytes(before));
  const next = digestOf(signedBytes(after));
  if (given !== given.toLowerCase())
    return sign(digest, own.tweaked).toUpperCase() === given ? sign(next, by.tweaked).toUpperCase() : undefined;
  const bytes = hexToBytes(given);
  if (outOfRange(given) !== undefined || !isOnCurve(bytes.subarray(0, 32))) return undefined;
  for (const [key, secret] of strangers(own, by))
    if (verifier(bytes, hexToBytes(key))(digest)) return sign(next, secret);
  const isOver = verifier(bytes, hexToBytes(own.output));
  const { sig: _old, ...bare } = was;
  const { sig: _new, ...rest } = message;
  const mistake = mistakes.find(({ digest: of }) => {
    const then = of(before, bare);
    return then !== undefined && isOver(then);
  });
  const wrong = mistake?.digest(after, rest);
  return wrong === undefined ? undefined : sign(wrong, by.tweaked);
}

/** Public keys of those who may have signed instead of the sender, and the private key with which somebody does the same again. */
function strangers(own: TestKey, by: TestKey): [key: string, secret: Uint8Array][] {
  const others = [a, b, c].filter((key) => key !== own);
  return [
    [own.internal, by.secret],
    ...others.flatMap(({ internal, output, secret, tweaked }): [string, Uint8Array][] => [
      [output, tweaked],
      [internal, secret],
    ]),
  ];
}
