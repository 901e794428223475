import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { ed25519 } from "@noble/curves/ed25519.js";
import { canonical, isObject, type Json, type JsonObject, type SigningKey } from "../../../../schemas/index.ts";
import { type Header, parseHeader } from "./header.ts";

export type { SigningKey };

/** The key that verifies signatures. A public key is in hex. */
export type VerificationKey = { alg: "hmac-sha256"; secret: string } | { alg: "ed25519"; public_key: string };

/** The time of a signature, as the digits of seconds since 1970, and its nonce. */
export interface Stamp {
  t: string;
  jti: string;
}

/** The maximum seconds between the time of a signature and the receiver's clock. */
export const replayWindow = 120;

/** The SHA-256 of a Response's canonical content, in lower-case hex. Missing members count as null. */
export function payloadDigest({ response = null, state = null }: JsonObject): string {
  return sha256(canonical({ response, state }));
}

export function sha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/** The member with the version, which is part of the signed context. */
export const versionMember = "ahcp_version";

/**
 * The ten members that are signed, built from a Response, the URL to which it is delivered, and the stamp. `version` is the
 * name of the version member, which a protocol based on AHCP may change.
 */
export function signedContext(
  response: JsonObject,
  callbackUrl: string,
  { t, jti }: Stamp,
  version: string = versionMember,
): JsonObject {
  const { in_reply_to = "", resolution = "", resolution_id = "" } = response;
  const resolved_at = (isObject(response.response) ? response.response.resolved_at : undefined) ?? "";
  const payload_sha256 = payloadDigest(response);
  return {
    [version]: response[version] ?? "",
    callback_url: callbackUrl,
    id: in_reply_to,
    in_reply_to,
    jti,
    payload_sha256,
    resolution,
    resolution_id,
    resolved_at,
    t,
  };
}

/** The signature of any JSON value, in base64url without padding. */
export function signatureOf(value: Json, key: SigningKey): string {
  const bytes = Buffer.from(canonical(value), "utf8");
  const signature =
    key.alg === "hmac-sha256"
      ? createHmac("sha256", key.secret).update(bytes).digest()
      : Buffer.from(ed25519.sign(bytes, Buffer.from(key.seed, "hex")));
  return signature.toString("base64url");
}

/** The value of the `AHCP-Signature` header for a push of the Response to this URL. */
export function sign(response: JsonObject, callbackUrl: string, stamp: Stamp, key: SigningKey): string {
  return formatHeader(stamp, signatureOf(signedContext(response, callbackUrl, stamp), key));
}

export function formatHeader({ t, jti }: Stamp, v1: string): string {
  return `t=${t},jti=${jti},v1=${v1}`;
}

/** Whether `v1` is a signature of the value. False, without throwing, if the value has no canonical form or the key is invalid. */
export function isSignedBy(value: Json, v1: Uint8Array, key: VerificationKey): boolean {
  try {
    const bytes = Buffer.from(canonical(value), "utf8");
    if (key.alg === "ed25519") return ed25519.verify(v1, bytes, Buffer.from(key.public_key, "hex"), { zip215: false });
    const expected = createHmac("sha256", key.secret).update(bytes).digest();
    return v1.length === expected.length && timingSafeEqual(v1, expected);
  } catch {
    return false;
  }
}

/** What an agent knows when a push arrives: its own URL and key, and the time in seconds since 1970. */
export interface PushReceiver {
  callbackUrl: string;
  key: VerificationKey;
  clock: number;
}

/** The reason why an agent refuses a push. */
export type SignatureRefusal = "no signature" | "malformed" | "mismatch" | "outside the window";

/** Verifies that the hub signed this Response, recently and for this URL. Returns undefined if it did, otherwise the reason to refuse it. */
export function verify(
  response: JsonObject,
  value: string | undefined,
  { callbackUrl, key, clock }: PushReceiver,
): SignatureRefusal | undefined {
  if (value === undefined) return "no signature";
  const header: Header | undefined = parseHeader(value);
  if (header === undefined) return "malformed";
  let context: JsonObject;
  try {
    context = signedContext(response, callbackUrl, header);
  } catch {
    return "mismatch";
  }
  if (!isSignedBy(context, header.v1, key)) return "mismatch";
  return isInWindow(header.t, clock) ? undefined : "outside the window";
}

/** Whether the time of a signature is within the window around the clock. */
export function isInWindow(t: string, clock: number): boolean {
  return Math.abs(clock - Number(t)) <= replayWindow;
}
