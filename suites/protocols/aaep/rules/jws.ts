import { constants, createHmac, createPublicKey, type JsonWebKey, timingSafeEqual, verify } from "node:crypto";
import { isObject, type JsonObject } from "../../../../schemas/index.ts";

const algorithms: Readonly<Record<string, { hash: string | null; kty: string; crv?: string; pss?: true }>> = {
  ES256: { hash: "sha256", kty: "EC", crv: "P-256" },
  ES384: { hash: "sha384", kty: "EC", crv: "P-384" },
  ES512: { hash: "sha512", kty: "EC", crv: "P-521" },
  RS256: { hash: "sha256", kty: "RSA" },
  RS384: { hash: "sha384", kty: "RSA" },
  RS512: { hash: "sha512", kty: "RSA" },
  PS256: { hash: "sha256", kty: "RSA", pss: true },
  PS384: { hash: "sha384", kty: "RSA", pss: true },
  PS512: { hash: "sha512", kty: "RSA", pss: true },
  EdDSA: { hash: null, kty: "OKP" },
  HS256: { hash: "sha256", kty: "oct" },
  HS384: { hash: "sha384", kty: "oct" },
  HS512: { hash: "sha512", kty: "oct" },
};

/**
 * The payload of a compact JWS (RFC 7515) if the key, a JWK, verifies it; otherwise its fault. Without a key,
 * it only reports faults that no key could repair.
 */
export function openJws(text: string, key: JsonObject | undefined): { payload: JsonObject } | { fault: string } {
  const [head = "", body = "", tail = "", ...more] = text.split(".");
  const [header, payload] = [objectIn(head), objectIn(body)];
  if (header === undefined || more.length > 0) return { fault: "has no header that could be read" };
  if (payload === undefined) return { fault: "signs no JSON object" };
  const { alg } = header;
  if (typeof alg !== "string" || /^none$/i.test(alg)) return { fault: `is signed with ${alg}` };
  if (header.crit !== undefined) return { fault: "has critical headers that are not understood" };
  // A signature with an unknown algorithm may be right.
  if (key === undefined || !Object.hasOwn(algorithms, alg)) return { payload };
  const isTrue = isSigned(alg, `${head}.${body}`, Buffer.from(tail, "base64url"), key);
  return isTrue ? { payload } : { fault: `does not match the signature with ${alg}` };
}

function isSigned(alg: string, signed: string, signature: Buffer, key: JsonObject): boolean {
  const { hash, kty, crv, pss } = algorithms[alg] as (typeof algorithms)[string];
  if (key.kty !== kty || (crv !== undefined && key.crv !== crv)) return false;
  const data = Buffer.from(signed);
  try {
    if (kty === "oct") {
      const own = createHmac(hash as string, Buffer.from(String(key.k), "base64url"))
        .update(data)
        .digest();
      return own.length === signature.length && timingSafeEqual(own, signature);
    }
    const loaded = createPublicKey({ key: key as JsonWebKey, format: "jwk" });
    return verify(
      hash,
      data,
      { key: loaded, dsaEncoding: "ieee-p1363", ...(pss ? { padding: constants.RSA_PKCS1_PSS_PADDING } : {}) },
      signature,
    );
  } catch {
    return false;
  }
}

function objectIn(part: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
