import { bytesToHex, hexToBytes } from "@noble/curves/utils.js";
import { type Breach, type Checker, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { hasForm, networkOf } from "./address.ts";
import { keyIn } from "./keys.ts";
import {
  canonicalOf,
  digestOf,
  isSignature,
  order,
  outOfRange,
  type SignedMembers,
  sign,
  signedOf,
  verify,
} from "./signature.ts";
import { isShallow } from "./size.ts";

/** A record of how a message was signed. Each step is judged by the previous one, so that a mistake violates only one rule. */
interface SigningSteps {
  message: JsonObject;
  canonicalPayload: string;
  bytes: Uint8Array;
  digest: Uint8Array;
  sig: string;
  record: JsonObject;
}

function stepsIn(instance: Json): SigningSteps | undefined {
  if (!isObject(instance)) return undefined;
  const { message, canonicalPayload, bytes, digest, sig } = instance;
  if (!isObject(message) || typeof canonicalPayload !== "string" || !isHex(bytes) || !isHex(digest)) return undefined;
  if (digest.length !== 64 || !isSignature(sig) || !isShallow(message)) return undefined;
  return { message, canonicalPayload, bytes: hexToBytes(bytes), digest: hexToBytes(digest), sig, record: instance };
}

function isHex(value: Json | undefined): value is string {
  return typeof value === "string" && /^([0-9a-f]{2})*$/.test(value);
}

/** Returns the signed members, and the bytes after the first six fields, or a separator if the bytes do not begin with these fields. */
function afterPayload({
  message,
  canonicalPayload,
  bytes,
}: SigningSteps): { tail: string; members: SignedMembers } | undefined {
  const members = signedOf(message);
  if (members === undefined) return undefined;
  const head = order.slice(0, -1).map((name) => (name === "payload" ? canonicalPayload : members[name]));
  const start = Buffer.from(`${head.join("\0")}\0`);
  const hasFirstFields = Buffer.from(bytes).subarray(0, start.length).equals(start);
  return { tail: hasFirstFields ? Buffer.from(bytes).subarray(start.length).toString("latin1") : "\0", members };
}

function checker(rule: string, judge: (steps: SigningSteps) => Breach | false | undefined): Checker {
  return {
    rule,
    documents: ["signing"],
    *check(instance) {
      const steps = stepsIn(instance);
      const breach = steps && judge(steps);
      if (breach) yield breach;
    },
  };
}

export const signingCheckers: readonly Checker[] = [
  checker("SNAP-SIG-001", (steps) => {
    // A further separator means additional fields. Otherwise only the spelling of the last field differs.
    const hasExtraField = afterPayload(steps)?.tail.includes("\0");
    return hasExtraField && { at: "/bytes", why: "are not the seven fields with a zero byte between neighbours" };
  }),
  checker("SNAP-SIG-002", ({ message, canonicalPayload }) => {
    const canonical = canonicalOf(message.payload ?? null);
    const isDifferent = canonical !== undefined && canonical !== canonicalPayload;
    return isDifferent && { at: "/canonicalPayload", why: "is not the payload as RFC 8785 writes it" };
  }),
  checker("SNAP-SIG-003", (steps) => {
    const { tail = "", members } = afterPayload(steps) ?? {};
    const isWrongTimestamp = members !== undefined && !tail.includes("\0") && tail !== members.timestamp;
    return (
      isWrongTimestamp && { at: "/bytes", why: `end in ${JSON.stringify(tail)}, not in the digits of the timestamp` }
    );
  }),
  checker("SNAP-SIG-004", ({ bytes, digest }) => {
    const isDifferent = bytesToHex(digestOf(bytes)) !== bytesToHex(digest);
    return isDifferent && { at: "/digest", why: "is not the SHA-256 of the bytes" };
  }),
  checker("SNAP-SIG-005", (steps) => {
    const { message, digest, sig, record } = steps;
    const { from } = message;
    const key = keyIn(record);
    if (!hasForm(from) || outOfRange(sig) !== undefined) return undefined;
    if (key !== undefined && key.address[networkOf(from)] !== from)
      return { at: "/message/from", why: "is not the address of the private key" };
    return !verify(sig, digest, from) && { at: "/sig", why: "does not verify with the key of the sender" };
  }),
  checker("SNAP-SIG-006", ({ sig }) => {
    const half = outOfRange(sig);
    return half !== undefined && { at: "/sig", why: `has an ${half} that is too large` };
  }),
  checker("SNAP-SIG-014", ({ digest, sig, record, message: { from } }) => {
    const key = keyIn(record);
    if (key === undefined || !hasForm(from) || key.address[networkOf(from)] !== from) return undefined;
    // Only a SHOULD, since not every library lets its caller choose the randomness. Another rule judges whether the signature verifies.
    if (outOfRange(sig) !== undefined || !verify(sig, digest, from)) return undefined;
    const isDifferent = sign(digest, key.tweaked) !== sig;
    return isDifferent && { at: "/sig", why: "is not the signature with 32 zero bytes of randomness", level: "SHOULD" };
  }),
];
