import { bytesToHex, hexToBytes } from "@noble/curves/utils.js";
import { readOnce } from "../../../../generators/index.ts";
import type { JsonObject } from "../../../../schemas/index.ts";
import { decoded, hasForm, isOnCurve } from "./address.ts";
import { mistakes } from "./mistakes.ts";
import { digestOf, isSignature, outOfRange, signedBytes, signedOf, verifier, verify } from "./signature.ts";
import { isShallow } from "./size.ts";

/** The rule that a signature breaks, and how. */
export interface Diagnosis {
  rule: string;
  why: string;
}

/** By the text of the message. Each rule on signatures asks in turn, sets are judged over and over, and the curve is slow. */
const known = new Map<string, Diagnosis | undefined>();
const most = 10_000;

/**
 * What is wrong with the signature of a message; undefined where it is right, or where there is nothing to judge: no signature, or no key
 * to judge it with. A signature that verifies over what a known mistake would have signed breaks the rule against that mistake; one that
 * verifies over nothing known was made with another key, or over another message.
 */
export const diagnosis: (message: JsonObject) => Diagnosis | undefined = readOnce(remembered);

function remembered(message: JsonObject): Diagnosis | undefined {
  const { from, sig } = message;
  if (!isSignature(sig) || !hasForm(from) || !isShallow(message)) return undefined;
  const text = JSON.stringify(message);
  if (!known.has(text)) {
    if (known.size >= most) known.clear();
    known.set(text, diagnosed(message, from, sig));
  }
  return known.get(text);
}

function diagnosed(message: JsonObject, from: string, sig: string): Diagnosis | undefined {
  const address = decoded(from);
  const signed = signedOf(message);
  if (!("key" in address) || signed === undefined) return undefined;
  const half = outOfRange(sig);
  if (half === "r") return { rule: "SNAP-SIG-006", why: "has an r that is not below the field prime" };
  if (half === "s") return { rule: "SNAP-SIG-006", why: "has an s that is not below the group order" };
  const bytes = hexToBytes(sig);
  const right = digestOf(signedBytes(signed));
  if (verify(sig, right, address.key)) return undefined;
  const tried = new Set([bytesToHex(right)]);
  const isOver = verifier(bytes, address.key);
  // With an r that is on no point, no digest at all would do.
  for (const { rule, says, digest } of isOnCurve(bytes.subarray(0, 32)) ? mistakes : []) {
    const other = digest(signed, message);
    if (other === undefined || tried.has(bytesToHex(other))) continue;
    tried.add(bytesToHex(other));
    if (isOver(other)) return { rule, why: `was made ${says}` };
  }
  return { rule: "SNAP-SIG-005", why: "does not verify with the key of the sender" };
}
