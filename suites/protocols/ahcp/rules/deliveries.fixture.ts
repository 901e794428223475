import { ed25519 } from "@noble/curves/ed25519.js";
import type { Change, Json, JsonObject } from "../../../../schemas/index.ts";
import { type SigningKey, type Stamp, sign, signedContext } from "./signature.ts";

/** This secret is published, so that everyone can reproduce the signatures. It protects nothing. */
const secret = "callback-secret-of-the-bakery-01";
const hmacKey: SigningKey = { alg: "hmac-sha256", secret };
const callbackUrl = "https://oven.bakery.example/ahcp/resume";
/** 2026-03-02T04:21:40Z. */
const nowSeconds = 1_772_425_300;
const stamp: Stamp = { t: String(nowSeconds), jti: "jti_5bq0Zw" };

interface DeliveryOptions {
  key?: SigningKey;
  stamp?: Stamp;
  url?: string;
  /** Members to add or replace in the record. */
  members?: JsonObject;
}

/** A push of a correct hub, which arrives three seconds after it was signed. */
export function pushedDelivery(envelope: JsonObject, options: DeliveryOptions = {}): JsonObject {
  const { key = hmacKey, stamp: at = stamp, url = callbackUrl, members = {} } = options;
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

/** An outcome that the agent read from the hub itself. */
export function pulledDelivery(envelope: JsonObject, members: JsonObject = {}): JsonObject {
  return { channel: "pull", body: envelope, ...members };
}

function verificationKey(key: SigningKey): JsonObject {
  if (key.alg === "hmac-sha256") return { ...key };
  const public_key = Buffer.from(ed25519.getPublicKey(Buffer.from(key.seed, "hex"))).toString("hex");
  return { alg: key.alg, public_key };
}

export function replace(path: string, value: Json): Change {
  return { op: "replace", path, value };
}
