import { createHmac, createPublicKey, type JsonWebKey, timingSafeEqual, verify } from "node:crypto";
import { isObject, type JsonObject } from "../../../../schemas/index.ts";

/** A compact JWS, opened as far as possible. */
export interface OpenedJws {
  payload?: JsonObject;
  algorithm?: string;
  /** Its fault; undefined if there is none, or without a key to find one. */
  why?: string;
}

/** Opens a signed manifest (RFC 7515). */
export function openSigned(signed: string, key: JsonObject | undefined): OpenedJws {
  const [header, payload, seal] = signed.split(".").map(bytesOf);
  if (header === undefined || payload === undefined || seal === undefined)
    return { why: "is not base64url in three parts" };
  const [head, body] = [objectOf(header), objectOf(payload)];
  if (head === undefined || body === undefined || typeof head.alg !== "string") return { why: "holds no JSON objects" };
  const { alg, crit } = head;
  const opened = { payload: body, algorithm: alg };
  if (alg.toLowerCase() === "none") return { ...opened, why: "is not signed" };
  if (crit !== undefined) return { ...opened, why: "demands what is not known" };
  if (key === undefined) return opened;
  if (typeof key.alg === "string" && key.alg !== alg)
    return { ...opened, why: "is signed for another algorithm than its key" };
  const input = Buffer.from(signed.slice(0, signed.lastIndexOf(".")));
  return isSigned(alg, input, seal, key) ? opened : { ...opened, why: "has a signature that does not fit" };
}

function bytesOf(part: string): Buffer | undefined {
  const bytes = Buffer.from(part, "base64url");
  return bytes.toString("base64url") === part ? bytes : undefined;
}

function objectOf(bytes: Buffer): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const curves: Readonly<Record<string, string>> = { ES256: "P-256", ES384: "P-384", ES512: "P-521" };

function isSigned(algorithm: string, input: Buffer, seal: Buffer, jwk: JsonObject): boolean {
  const hash = `sha${algorithm.slice(2)}`;
  try {
    if (algorithm.startsWith("HS")) {
      if (jwk.kty !== "oct") return false;
      const mac = createHmac(hash, Buffer.from(String(jwk.k), "base64url"))
        .update(input)
        .digest();
      return mac.length === seal.length && timingSafeEqual(mac, seal);
    }
    const key = createPublicKey({ key: jwk as JsonWebKey, format: "jwk" });
    if (algorithm in curves)
      return jwk.crv === curves[algorithm] && verify(hash, input, { key, dsaEncoding: "ieee-p1363" }, seal);
    if (algorithm.startsWith("RS")) return jwk.kty === "RSA" && verify(hash, input, key, seal);
    if (algorithm.startsWith("PS"))
      return jwk.kty === "RSA" && verify(hash, input, { key, padding: 6, saltLength: -1 }, seal);
    return algorithm.startsWith("Ed") && jwk.kty === "OKP" && verify(null, input, key, seal);
  } catch {
    return false;
  }
}
