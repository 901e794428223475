import { ed25519 } from "@noble/curves/ed25519.js";
import type { Change, Json, JsonObject } from "../../../../schemas/index.ts";
import { header, type SigningKey, type Stamp, sign, signatureOf, signedContext } from "./signature.ts";

/** Published as they are, so that anybody can make the same signatures: they protect nothing. */
export const secret = "callback-secret-of-the-bakery-01";
export const hmacKey: SigningKey = { alg: "hmac-sha256", secret };
export const edKey: SigningKey = { alg: "ed25519", seed: "0102030405060708".repeat(4) };

export const callbackUrl = "https://oven.bakery.example/ahcp/resume";
/** 2026-03-02T04:21:40Z. */
export const now = 1_772_425_300;
export const stamp: Stamp = { t: String(now), jti: "jti_5bq0Zw" };

export interface Circumstances {
  key?: SigningKey;
  stamp?: Stamp;
  url?: string;
  /** Further members of the record, or others. */
  members?: JsonObject;
}

/** A push as a faithful hub makes it, three seconds before it arrives. */
export function pushed(envelope: JsonObject, circumstances: Circumstances = {}): JsonObject {
  const { key = hmacKey, stamp: at = stamp, url = callbackUrl, members = {} } = circumstances;
  return {
    channel: "push",
    callback_url: url,
    signature: sign(envelope, url, at, key),
    body: envelope,
    key: verificationKey(key),
    clock: Number(at.t) + 3,
    signed: signedContext(envelope, url, at),
    ...members,
  };
}

/** What the agent read from the hub itself. */
export function pulled(envelope: JsonObject, members: JsonObject = {}): JsonObject {
  return { channel: "pull", body: envelope, ...members };
}

export function verificationKey(key: SigningKey): JsonObject {
  if (key.alg === "hmac-sha256") return { ...key };
  const public_key = Buffer.from(ed25519.getPublicKey(Buffer.from(key.seed, "hex"))).toString("hex");
  return { alg: key.alg, public_key };
}

/** The hub signs something else than it should, and says so in its log. */
export function signing(signed: JsonObject, key: SigningKey = hmacKey): Change[] {
  const { t, jti } = signed as unknown as Stamp;
  return [replace("/signature", header({ t, jti }, signatureOf(signed, key))), replace("/signed", signed)];
}

export function replace(path: string, value: Json): Change {
  return { op: "replace", path, value };
}
