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

/** The rule that a signature breaks, and the mistake. */
export interface Diagnosis {
  rule: string;
  why: string;
}

/** Diagnoses by the text of the message: several rules need each one, sets are judged repeatedly, and arithmetic on the curve is slow. */
const knownDiagnoses = new Map<string, Diagnosis | undefined>();
const maxDiagnoses = 10_000;

/**
 * The fault of a message's signature. Undefined if the signature is right, or if it cannot be judged because there is no signature or no
 * key. A signature that verifies over the bytes of a known mistake breaks the rule against that mistake. A signature that verifies
 * over no known bytes was made with another key, or over another message.
 */
export const diagnosis: (message: JsonObject) => Diagnosis | undefined = readOnce(recallDiagnosis);

function recallDiagnosis(message: JsonObject): Diagnosis | undefined {
  const { from, sig } = message;
  if (!isSignature(sig) || !hasForm(from) || !isShallow(message)) return undefined;
  const text = JSON.stringify(message);
  if (!knownDiagnoses.has(text)) {
    if (knownDiagnoses.size >= maxDiagnoses) knownDiagnoses.clear();
    knownDiagnoses.set(text, diagnose(message, from, sig));
  }
  return knownDiagnoses.get(text);
}

function diagnose(message: JsonObject, from: string, sig: string): Diagnosis | undefined {
  const address = decodeAddress(from);
  const signedMembers = signedOf(message);
  if (!("key" in address) || signedMembers === undefined) return undefined;
  const half = outOfRange(sig);
  if (half === "r") return { rule: "SNAP-SIG-006", why: "has an r that is not below the field prime" };
  if (half === "s") return { rule: "SNAP-SIG-006", why: "has an s that is not below the group order" };
  const bytes = hexToBytes(sig);
  const rightDigest = digestOf(signedBytes(signedMembers));
  if (verify(sig, rightDigest, address.key)) return undefined;
  const key = keyOf(from);
  const wrongDigests = [...mistakenDigests(signedMembers, message, rightDigest)];
  // A signature covers one digest, and the usual nonce shows which one.
  const wrongDigest = key && wrongDigests.find(({ over: digest }) => isSigned(sig, digest, key.tweaked));
  if (wrongDigest !== undefined) return wrongDigest.diagnosis;
  const verifiesOver = verifier(bytes, address.key);
  // If r is not on a point, no digest can fit.
  for (const { over: digest, diagnosis } of isOnCurve(bytes.subarray(0, 32)) ? wrongDigests : [])
    if (verifiesOver(digest)) return diagnosis;
  return { rule: "SNAP-SIG-005", why: "does not verify with the key of the sender" };
}

/** The digests that known mistakes would have signed, each once, without the right one. */
function* mistakenDigests(
  signedMembers: SignedMembers,
  message: JsonObject,
  rightDigest: Uint8Array,
): Generator<{ over: Uint8Array; diagnosis: Diagnosis }> {
  const knownDigests = new Set([bytesToHex(rightDigest)]);
  for (const { rule, says, digest } of mistakes) {
    const over = digest(signedMembers, message);
    if (over === undefined || knownDigests.has(bytesToHex(over))) continue;
    knownDigests.add(bytesToHex(over));
    yield { over, diagnosis: { rule, why: `was made ${says}` } };
  }
}
