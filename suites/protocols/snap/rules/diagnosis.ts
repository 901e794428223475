import { bytesToHex, hexToBytes } from "@noble/curves/utils.js";
import { readOnce } from "../../../../generators/index.ts";
import type { JsonObject } from "../../../../schemas/index.ts";
import { decodeAddress, hasForm, isOnCurve } from "./address.ts";
import { keyOf } from "./keys.ts";
import { mistakes } from "./mistakes.ts";
import {
  digestOf,
  isSignature,
  isSigned,
  outOfRange,
  type SignedMembers,
  signedBytes,
  signedOf,
  verifier,
  verify,
} from "./signature.ts";
import { isShallow } from "./size.ts";

/** The rule that a signature violates, and why. */
export interface Diagnosis {
  rule: string;
  why: string;
}

/** A cache of diagnoses by the message as JSON. Several rules need each diagnosis, and curve arithmetic is slow. */
const diagnosisByText = new Map<string, Diagnosis | undefined>();
const maxDiagnoses = 10_000;

/**
 * Finds the fault of a message's signature. Undefined if the signature is valid, or if there is no signature or no key to judge it.
 * A signature that verifies over the bytes of a known mistake violates the rule against that mistake. Any other wrong signature was
 * made with a different key, or over a different message.
 */
export const diagnosis: (message: JsonObject) => Diagnosis | undefined = readOnce(cachedDiagnosis);

function cachedDiagnosis(message: JsonObject): Diagnosis | undefined {
  const { from, sig } = message;
  if (!isSignature(sig) || !hasForm(from) || !isShallow(message)) return undefined;
  const text = JSON.stringify(message);
  if (!diagnosisByText.has(text)) {
    if (diagnosisByText.size >= maxDiagnoses) diagnosisByText.clear();
    diagnosisByText.set(text, diagnose(message, from, sig));
  }
  return diagnosisByText.get(text);
}

function diagnose(message: JsonObject, from: string, sig: string): Diagnosis | undefined {
  const address = decodeAddress(from);
  const signedMembers = signedOf(message);
  if (!("key" in address) || signedMembers === undefined) return undefined;
  const half = outOfRange(sig);
  if (half === "r") return { rule: "SNAP-SIG-006", why: "has an r that is not below the field prime" };
  if (half === "s") return { rule: "SNAP-SIG-006", why: "has an s that is not below the group order" };
  const bytes = hexToBytes(sig);
  const correctDigest = digestOf(signedBytes(signedMembers));
  if (verify(sig, correctDigest, address.key)) return undefined;
  const key = keyOf(from);
  const wrongDigests = [...mistakenDigests(signedMembers, message, correctDigest)];
  // A signature with the usual nonce shows which digest it covers, without curve arithmetic.
  const wrongDigest = key && wrongDigests.find(({ digest }) => isSigned(sig, digest, key.tweaked));
  if (wrongDigest !== undefined) return wrongDigest.diagnosis;
  const verifiesOver = verifier(bytes, address.key);
  // If r is not the x coordinate of a point, no digest can match.
  for (const { digest, diagnosis } of isOnCurve(bytes.subarray(0, 32)) ? wrongDigests : [])
    if (verifiesOver(digest)) return diagnosis;
  return { rule: "SNAP-SIG-005", why: "does not verify with the key of the sender" };
}

/** Yields the wrong digests that known mistakes would have signed, each once. */
function* mistakenDigests(
  signedMembers: SignedMembers,
  message: JsonObject,
  correctDigest: Uint8Array,
): Generator<{ digest: Uint8Array; diagnosis: Diagnosis }> {
  const knownDigests = new Set([bytesToHex(correctDigest)]);
  for (const { rule, says, digest: digestWithMistake } of mistakes) {
    const digest = digestWithMistake(signedMembers, message);
    if (digest === undefined || knownDigests.has(bytesToHex(digest))) continue;
    knownDigests.add(bytesToHex(digest));
    yield { digest, diagnosis: { rule, why: `was made ${says}` } };
  }
}
