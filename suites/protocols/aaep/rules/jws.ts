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
 * Returns the payload of a compact JWS (RFC 7515) if the key, a JWK, verifies its signature; otherwise its fault.
 * Without a key, only reports faults that do not depend on the key.
 */
export function openJws(text: string, key: JsonObject | undefined): { payload: JsonObject } | { fault: string } {
  const [headerPart = "", payloadPart = "", signaturePart = "", ...otherParts] = text.split(".");
  const [header, payload] = [parseObject(headerPart), parseObject(payloadPart)];
  if (header === undefined || otherParts.length > 0) return { fault: "has no readable header" };
  if (payload === undefined) return { fault: "does not sign a JSON object" };
  const { alg } = header;
  if (typeof alg !== "string" || /^none$/i.test(alg)) return { fault: `is signed with ${alg}` };
  if (header.crit !== undefined) return { fault: "has critical headers that are not understood" };
  // A signature with an unknown algorithm may be valid.
  if (key === undefined || !Object.hasOwn(algorithms, alg)) return { payload };
  const isValid = verifySignature(alg, `${headerPart}.${payloadPart}`, Buffer.from(signaturePart, "base64url"), key);
  return isValid ? { payload } : { fault: `does not match the signature with ${alg}` };
}

function verifySignature(alg: string, signedText: string, signature: Buffer, key: JsonObject): boolean {
  const { hash, kty, crv, pss } = algorithms[alg] as (typeof algorithms)[string];
  if (key.kty !== kty || (crv !== undefined && key.crv !== crv)) return false;
  const data = Buffer.from(signedText);
  try {
    if (kty === "oct") {
      const expectedSignature = createHmac(hash as string, Buffer.from(String(key.k), "base64url"))
        .update(data)
        .digest();
      return expectedSignature.length === signature.length && timingSafeEqual(expectedSignature, signature);
    }
    const publicKey = createPublicKey({ key: key as JsonWebKey, format: "jwk" });
    return verify(
      hash,
      data,
      { key: publicKey, dsaEncoding: "ieee-p1363", ...(pss ? { padding: constants.RSA_PKCS1_PSS_PADDING } : {}) },
      signature,
    );
  } catch {
    return false;
  }
}

function parseObject(part: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
