import { bytesToHex, hexToBytes } from "@noble/curves/utils.js";
import { type Checker, isObject, type JsonObject } from "../../../../schemas/index.ts";
import { decodeAddress, hasForm } from "./address.ts";
import { canonicalOf, digestOf, isSignature, outOfRange, verify } from "./signature.ts";
import { isShallow } from "./size.ts";

/** Returns the text that the signature of a served card covers: the canonical card, a bar and the timestamp. */
export function cardText(card: JsonObject, timestamp: number): string | undefined {
  const text = isShallow(card) ? canonicalOf(card) : undefined;
  return text === undefined || !Number.isInteger(timestamp) ? undefined : `${text}|${BigInt(timestamp)}`;
}

export const signedCardCheckers: readonly Checker[] = [
  {
    rule: "SNAP-DISC-002",
    documents: ["signed-card"],
    *check(instance) {
      if (!isObject(instance)) return;
      const { card, sig, publicKey, timestamp } = instance;
      if (!isObject(card) || !isSignature(sig) || typeof timestamp !== "number" || !hasForm(card.identity)) return;
      const address = decodeAddress(card.identity);
      const text = cardText(card, timestamp);
      if (!("key" in address) || text === undefined) return;
      if (typeof publicKey === "string" && publicKey !== bytesToHex(address.key))
        yield { at: "/publicKey", why: "is not the key inside the identity of the card" };
      // Verified with the stated key, so that a foreign key counts as one fault and not as two.
      const key =
        typeof publicKey === "string" && /^[0-9a-f]{64}$/.test(publicKey) ? hexToBytes(publicKey) : address.key;
      if (outOfRange(sig) !== undefined || !verify(sig, digestOf(new TextEncoder().encode(text)), key))
        yield { at: "/sig", why: "does not verify over the card, a bar and the timestamp" };
    },
  },
];
