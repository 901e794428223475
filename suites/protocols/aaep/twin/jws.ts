import { constants, createHmac, createPublicKey, type JsonWebKey, timingSafeEqual, verify } from "node:crypto";
import { isObject, type JsonObject } from "../../../../schemas/index.ts";

/** The contents of a compact JWS, as far as they are readable. */
export interface OpenedJws {
  payload?: JsonObject;
  algorithm?: string;
  /** Its fault; undefined if there is none, or if only a key could show it. */
  why?: string;
}

/** Opens a signed manifest (RFC 7515). */
export function openSignedManifest(jws: string, key: JsonObject | undefined): OpenedJws {
  const [header, payload, signature] = jws.split(".").map(decodePart);
  if (header === undefined || payload === undefined || signature === undefined)
    return { why: "is not base64url in three parts" };
  const [headerObject, payloadObject] = [parseObject(header), parseObject(payload)];
  if (headerObject === undefined || payloadObject === undefined || typeof headerObject.alg !== "string")
    return { why: "does not contain JSON objects" };
  const { alg, crit } = headerObject;
  const contents = { payload: payloadObject, algorithm: alg };
  if (alg.toLowerCase() === "none") return { ...contents, why: "is not signed" };
  if (crit !== undefined) return { ...contents, why: "has unknown critical headers" };
  if (key === undefined) return contents;
  if (typeof key.alg === "string" && key.alg !== alg)
    return { ...contents, why: "is signed with an algorithm other than that of its key" };
  const input = Buffer.from(jws.slice(0, jws.lastIndexOf(".")));
  return verifySignature(alg, input, signature, key) ? contents : { ...contents, why: "has an invalid signature" };
}

function decodePart(part: string): Buffer | undefined {
  const bytes = Buffer.from(part, "base64url");
  return bytes.toString("base64url") === part ? bytes : undefined;
}

function parseObject(bytes: Buffer): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const { RSA_PKCS1_PSS_PADDING, RSA_PSS_SALTLEN_DIGEST } = constants;

const curves: Readonly<Record<string, string>> = { ES256: "P-256", ES384: "P-384", ES512: "P-521" };

function verifySignature(algorithm: string, input: Buffer, signature: Buffer, jwk: JsonObject): boolean {
  const hash = `sha${algorithm.slice(2)}`;
  try {
    if (algorithm.startsWith("HS")) {
      if (jwk.kty !== "oct") return false;
      const mac = createHmac(hash, Buffer.from(String(jwk.k), "base64url"))
        .update(input)
        .digest();
      return mac.length === signature.length && timingSafeEqual(mac, signature);
    }
    const key = createPublicKey({ key: jwk as JsonWebKey, format: "jwk" });
    if (algorithm in curves)
      return jwk.crv === curves[algorithm] && verify(hash, input, { key, dsaEncoding: "ieee-p1363" }, signature);
    if (algorithm.startsWith("RS")) return jwk.kty === "RSA" && verify(hash, input, key, signature);
    if (algorithm.startsWith("PS"))
      return (
        jwk.kty === "RSA" &&
        verify(hash, input, { key, padding: RSA_PKCS1_PSS_PADDING, saltLength: RSA_PSS_SALTLEN_DIGEST }, signature)
      );
    return algorithm.startsWith("Ed") && jwk.kty === "OKP" && verify(null, input, key, signature);
  } catch {
    return false;
  }
}
