import { createHash, createHmac, createPublicKey, timingSafeEqual, verify } from "node:crypto";
import { canonical, isObject, type Json, type JsonObject, TargetFailure } from "../../../../schemas/index.ts";

/** The key that verifies a push. A secret is used as UTF-8; a public key is in hex. */
export type Key = { alg: "hmac-sha256"; secret: string } | { alg: "ed25519"; publicKey: string };

/** The value of an `AHCP-Signature` header, parsed. */
export interface Signature {
  t: string;
  jti: string;
  v1: string;
  bytes: Buffer;
  /** The signed version member and its value, for a protocol with a different name for it. */
  version?: { member: string; value: Json | undefined };
}

/** The only format that the specification shows. */
export const specifiedForm: RegExp = /^t=[0-9]+,jti=[^,\s]+,v1=[A-Za-z0-9_-]+={0,2}$/;

/** Whether a header has the specified format and a signature of a possible length. */
export function hasSpecifiedForm(value: string | undefined): boolean {
  const length = parseSignature(value)?.bytes.length;
  return specifiedForm.test(value ?? "") && (length === 32 || length === 64);
}

/** Parses a header, in any order. Returns undefined if a parameter is missing. */
export function parseSignature(value: string | undefined): Signature | undefined {
  const parameters = (value ?? "").split(",").map((part) => /^\s*(\w+)\s*=\s*(\S+)\s*$/.exec(part) ?? []);
  const { t, jti, v1 } = Object.fromEntries(parameters.map(([, name = "", text = ""]) => [name, text]));
  if (t === undefined || jti === undefined || v1 === undefined) return undefined;
  return { t, jti, v1, bytes: Buffer.from(v1, "base64url") };
}

/** The algorithm with signatures of this length. */
export function algorithmOf({ bytes }: Pick<Signature, "bytes">): Key["alg"] | undefined {
  return ({ 32: "hmac-sha256", 64: "ed25519" } as const)[bytes.length];
}

/** Throws a TargetFailure if the key is for a different algorithm than the signature. */
export function requireSameAlgorithm(key: Key, signature: Signature | undefined): void {
  const algorithm = signature === undefined ? undefined : algorithmOf(signature);
  if (algorithm === undefined || algorithm === key.alg) return;
  const mismatch = `the hook "key" returns a key for ${key.alg}, but the signature has the length of ${algorithm}`;
  throw new TargetFailure("errored", "hook", `${mismatch}: return the key for the requested \`reference\``);
}

/** The part of a body that the payload digest covers. */
export function digestedPart({ response = null, state = null }: JsonObject): JsonObject {
  return { response, state };
}

/** The SHA-256 of the canonical content, in lower-case hex. */
export function digestOf(body: JsonObject): string {
  return sha256(canonical(digestedPart(body))).toString("hex");
}

export function sha256(text: string): Buffer {
  return createHash("sha256").update(text, "utf8").digest();
}

/** Wrong digests that implementations make by mistake, each with a description of the mistake. */
export function wrongDigests(body: JsonObject): [why: string, digest: string][] {
  const { response = null, state = null } = body;
  const correctDigest = sha256(canonical({ response, state }));
  return [
    ["signs a digest without state", digestOf({ ...body, state: null })],
    ["signs a digest that has no member for the state", sha256(canonical({ response })).toString("hex")],
    ["signs a digest of the response alone", sha256(canonical(response)).toString("hex")],
    ["signs a digest of the whole body", sha256(canonical(body)).toString("hex")],
    ["signs a digest of the body as sent", sha256(JSON.stringify(body)).toString("hex")],
    ["signs a digest in upper case", correctDigest.toString("hex").toUpperCase()],
    ["signs a digest in base64", correctDigest.toString("base64")],
    ["signs a digest in base64url", correctDigest.toString("base64url")],
  ];
}

/** The ten signed members, as a receiver builds them to verify a push. */
export function contextOf(body: JsonObject, url: string, { t, jti, version }: Signature): JsonObject {
  const textOrEmpty = (value: Json | undefined): Json => value ?? "";
  const { member, value } = version ?? { member: "ahcp_version", value: body.ahcp_version };
  return {
    [member]: textOrEmpty(value),
    callback_url: url,
    id: textOrEmpty(body.in_reply_to),
    in_reply_to: textOrEmpty(body.in_reply_to),
    jti,
    payload_sha256: digestOf(body),
    resolution: textOrEmpty(body.resolution),
    resolution_id: textOrEmpty(body.resolution_id),
    resolved_at: textOrEmpty(isObject(body.response) ? body.response.resolved_at : undefined),
    t,
  };
}

/** Whether the signature covers this context, serialized by `serialize`. False, without throwing, if the key is invalid. */
export function verifiesContext(
  context: JsonObject,
  { bytes }: Signature,
  key: Key,
  serialize: (value: Json) => string = canonical,
): boolean {
  try {
    const signedBytes = Buffer.from(serialize(context), "utf8");
    if (key.alg === "hmac-sha256") {
      const expected = createHmac("sha256", key.secret).update(signedBytes).digest();
      return bytes.length === expected.length && timingSafeEqual(bytes, expected);
    }
    const x = Buffer.from(key.publicKey, "hex").toString("base64url");
    return verify(null, signedBytes, createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" }), bytes);
  } catch {
    return false;
  }
}

/** Whether the signature covers everything that it must cover in this push. */
export function verifiesPush(body: JsonObject, url: string, signature: Signature, key: Key): boolean {
  return verifiesContext(contextOf(body, url, signature), signature, key);
}
