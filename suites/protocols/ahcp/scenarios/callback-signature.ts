import { createHash, createHmac, createPublicKey, timingSafeEqual, verify } from "node:crypto";
import { canonical, isObject, type Json, type JsonObject, TargetFailure } from "../../../../schemas/index.ts";

/** The key that verifies a push; the secret is used as UTF-8, a public key is written in hex. */
export type Key = { alg: "hmac-sha256"; secret: string } | { alg: "ed25519"; publicKey: string };

/** The value of an `AHCP-Signature` header, parsed. */
export interface Signature {
  t: string;
  jti: string;
  v1: string;
  bytes: Buffer;
  /** The signed member with the version, and its value, if a push came with other names than it is read with. */
  version?: { member: string; value: Json | undefined };
}

/** The only form that the specification shows. */
export const form: RegExp = /^t=[0-9]+,jti=[^,\s]+,v1=[A-Za-z0-9_-]+={0,2}$/;

/** Whether a header has the specified form, with a signature of a possible length. */
export function isFormed(value: string | undefined): boolean {
  const length = signatureIn(value)?.bytes.length;
  return form.test(value ?? "") && (length === 32 || length === 64);
}

/** Reads a header in any order; undefined if a parameter is missing. */
export function signatureIn(value: string | undefined): Signature | undefined {
  const parameters = (value ?? "").split(",").map((part) => /^\s*(\w+)\s*=\s*(\S+)\s*$/.exec(part) ?? []);
  const { t, jti, v1 } = Object.fromEntries(parameters.map(([, name = "", text = ""]) => [name, text]));
  if (t === undefined || jti === undefined || v1 === undefined) return undefined;
  return { t, jti, v1, bytes: Buffer.from(v1, "base64url") };
}

/** The algorithm with signatures of this length. */
export function algorithmOf({ bytes }: Pick<Signature, "bytes">): Key["alg"] | undefined {
  return ({ 32: "hmac-sha256", 64: "ed25519" } as const)[bytes.length];
}

/** Throws a TargetFailure for a key of the other algorithm, with which a signature cannot be judged. */
export function requireSameAlgorithm(key: Key, signature: Signature | undefined): void {
  const algorithm = signature === undefined ? undefined : algorithmOf(signature);
  if (algorithm === undefined || algorithm === key.alg) return;
  const mismatch = `the hook "key" returns a key for ${key.alg}, but the signature has the length of ${algorithm}`;
  throw new TargetFailure("errored", "hook", `${mismatch}: return the key for the requested \`reference\``);
}

/** The digested part of a delivery. */
export function digestedPart({ response = null, state = null }: JsonObject): JsonObject {
  return { response, state };
}

/** SHA-256 of the canonical text of the delivered content, in lower-case hex. */
export function digestOf(body: JsonObject): string {
  return sha256(canonical(digestedPart(body))).toString("hex");
}

export function sha256(text: string): Buffer {
  return createHash("sha256").update(text, "utf8").digest();
}

/** Digests that some implementations make of the delivered content instead of the right one, each with its mistake. */
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

/** The ten signed members, as a receiver rebuilds them. */
export function contextOf(body: JsonObject, url: string, { t, jti, version }: Signature): JsonObject {
  const text = (value: Json | undefined): Json => value ?? "";
  const { member, value } = version ?? { member: "ahcp_version", value: body.ahcp_version };
  return {
    [member]: text(value),
    callback_url: url,
    id: text(body.in_reply_to),
    in_reply_to: text(body.in_reply_to),
    jti,
    payload_sha256: digestOf(body),
    resolution: text(body.resolution),
    resolution_id: text(body.resolution_id),
    resolved_at: text(isObject(body.response) ? body.response.resolved_at : undefined),
    t,
  };
}

/** Whether the signature covers this context, in this spelling. Never throws: an invalid key verifies none. */
export function isSignatureOf(
  context: JsonObject,
  { bytes }: Signature,
  key: Key,
  write: (value: Json) => string = canonical,
): boolean {
  try {
    const signedBytes = Buffer.from(write(context), "utf8");
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

/** Whether a push has a signature over all that it must cover. */
export function isSigned(body: JsonObject, url: string, signature: Signature, key: Key): boolean {
  return isSignatureOf(contextOf(body, url, signature), signature, key);
}
