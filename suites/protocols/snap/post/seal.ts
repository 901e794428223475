import { isObject, type Json, type JsonObject, type Letter, pointer } from "../../../../schemas/index.ts";
import { hasForm } from "../rules/address.ts";
import { a, b, c, keyOf, type TestKey } from "../rules/keys.ts";
import { mistakes } from "../rules/mistakes.ts";
import {
  canonicalOf,
  digestOf,
  isSignature,
  order,
  type Signed,
  sign,
  signedBytes,
  signedOf,
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

/** A message that was made anew, with a signature as right as the one that it had, or wrong in the same way. */
export function resealed(
  was: JsonObject,
  message: JsonObject,
  by: TestKey,
  { keep, sign: isForeign }: Pick<Letter, "keep" | "sign">,
): JsonObject {
  const own = hasForm(was.from) ? keyOf(was.from) : undefined;
  const isMeant = keep.some((at) => pointer.related(at, "/sig"));
  const isFit = own !== undefined && (sealed(was, own) as JsonObject).sig === was.sig;
  if (isFit || (isForeign && !isMeant)) return sealed(message, by) as JsonObject;
  const sig = own === undefined ? undefined : wrongly(was, message, own, by);
  return sig === undefined ? message : { ...message, sig };
}

/** The signature that makes the same mistake with another message; undefined for one that is wrong over any. */
function wrongly(was: JsonObject, message: JsonObject, own: TestKey, by: TestKey): string | undefined {
  const [before, after] = [signedOf(was), signedOf(message)];
  const { sig: given, ...bare } = was;
  if (before === undefined || after === undefined || typeof given !== "string" || !isSignature(given.toLowerCase()))
    return undefined;
  const { sig: _sig, ...rest } = message;
  const digest = digestOf(signedBytes(before));
  const next = digestOf(signedBytes(after));
  const others: readonly (readonly [old: Uint8Array, key: Uint8Array])[] = [
    [own.secret, by.secret],
    ...[a, b, c].flatMap(({ secret, tweaked }) => [[tweaked, tweaked] as const, [secret, secret] as const]),
  ];
  if (sign(digest, own.tweaked).toUpperCase() === given) return sign(next, by.tweaked).toUpperCase();
  for (const [old, key] of others) if (sign(digest, old) === given) return sign(next, key);
  for (const { digest: of } of mistakes) {
    const then = of(before, bare);
    if (then === undefined || sign(then, own.tweaked) !== given) continue;
    const now = of(after, rest);
    return now === undefined ? undefined : sign(now, by.tweaked);
  }
  return undefined;
}
