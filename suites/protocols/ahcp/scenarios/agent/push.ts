import { createHmac, createPrivateKey, sign } from "node:crypto";
import { canonical, type JsonObject, type SigningKey } from "../../../../../schemas/index.ts";
import { contextOf } from "../callback-signature.ts";

/** The time (seconds since 1970) and the nonce of a signature. */
export interface PushStamp {
  t: string;
  jti: string;
}

/** The bytes before the seed in a PKCS #8 private key for Ed25519. */
const pkcs8Prefix = Buffer.from("302e020100300506032b657004220420", "hex");

/** The value of the signature header for a push of this Response to this URL. */
export function signatureHeader(body: JsonObject, url: string, { t, jti }: PushStamp, key: SigningKey): string {
  const context = contextOf(body, url, { t, jti, v1: "", bytes: Buffer.alloc(0) });
  return `t=${t},jti=${jti},v1=${signatureOf(Buffer.from(canonical(context), "utf8"), key).toString("base64url")}`;
}

function signatureOf(bytes: Buffer, key: SigningKey): Buffer {
  if (key.alg === "hmac-sha256") return createHmac("sha256", key.secret).update(bytes).digest();
  const der = Buffer.concat([pkcs8Prefix, Buffer.from(key.seed, "hex")]);
  return sign(null, bytes, createPrivateKey({ key: der, format: "der", type: "pkcs8" }));
}

/** A different key for the same algorithm, which neither party knows. */
export function otherKey({ alg }: SigningKey): SigningKey {
  return alg === "hmac-sha256" ? { alg, secret: "an unknown key" } : { alg, seed: "5a".repeat(32) };
}
