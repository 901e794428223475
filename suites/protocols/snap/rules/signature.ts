import { hash } from "node:crypto";
import { schnorr } from "@noble/curves/secp256k1.js";
import { bytesToHex, bytesToNumberBE, hexToBytes, numberToBytesBE } from "@noble/curves/utils.js";
import { canonical, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { decodeAddress, hasForm } from "./address.ts";
import { keyA, keyB, keyC, keyOf } from "./keys.ts";
import { cheapNonce, type Nonce } from "./nonces.ts";

/** The signed members of a message, as the strings that are signed. */
export interface SignedMembers {
  id: string;
  from: string;
  /** Empty if a message to a service has no recipient. */
  to: string;
  type: string;
  method: string;
  payload: string;
  timestamp: string;
}

/** The names of the signed members, in the order of signing. */
export const order: readonly (keyof SignedMembers)[] = ["id", "from", "to", "type", "method", "payload", "timestamp"];

const { Point, utils } = schnorr;
const { Fn, Fp } = Point;

/** Returns the signed members of a message. Undefined if a member has a wrong type, or the payload has no canonical form. */
export function signedOf({
  id,
  from,
  to = "",
  type,
  method,
  payload,
  timestamp,
}: JsonObject): SignedMembers | undefined {
  const strings = { id, from, to, type, method };
  if (Object.values(strings).some((value) => typeof value !== "string")) return undefined;
  const canonicalPayload = isObject(payload) ? canonicalOf(payload) : undefined;
  if (canonicalPayload === undefined || typeof timestamp !== "number" || !Number.isInteger(timestamp)) return undefined;
  return {
    ...(strings as Record<keyof typeof strings, string>),
    payload: canonicalPayload,
    timestamp: BigInt(timestamp).toString(),
  };
}

/** Serializes a value by RFC 8785. Undefined for a lone surrogate or extreme nesting. */
export function canonicalOf(value: Json): string | undefined {
  try {
    return canonical(value);
  } catch {
    return undefined;
  }
}

/** Returns the bytes that are hashed: seven fields, separated by zero bytes. */
export function signedBytes(members: SignedMembers): Uint8Array {
  return new TextEncoder().encode(order.map((name) => members[name]).join("\0"));
}

/** Returns the digest that BIP-340 signs: one hash of the message. */
export function digestOf(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(hash("sha256", bytes, "buffer"));
}

/** Returns the prefix of a tagged hash by BIP-340: the tag's own hash, twice. */
const tagOf = (tag: string): Buffer => {
  const tagHash = hash("sha256", tag, "buffer");
  return Buffer.concat([tagHash, tagHash]);
};
const tags = { nonce: tagOf("BIP0340/nonce"), challenge: tagOf("BIP0340/challenge") } as const;

function scalarOf(tag: keyof typeof tags, ...parts: Uint8Array[]): bigint {
  return Fn.create(BigInt(`0x${hash("sha256", Buffer.concat([tags[tag], ...parts]), "hex")}`));
}

/** The values that every signature with a private key needs: the scalar of a point with even y, its x coordinate, and the source of nonces. */
interface SigningValues {
  scalar: bigint;
  key: Uint8Array;
  nonces: Uint8Array;
}

/** The size of the cache: a few keys make many signatures. */
const maxKeys = 64;
const signingValues = new Map<string, SigningValues>();

function signingOf(secret: Uint8Array): SigningValues {
  const cacheKey = bytesToHex(secret);
  const cached = signingValues.get(cacheKey);
  if (cached !== undefined) return cached;
  const point = Point.BASE.multiplyUnsafe(bytesToNumberBE(secret));
  const { y } = point.toAffine();
  const scalar = Fn.create(y % 2n === 0n ? bytesToNumberBE(secret) : Fn.neg(bytesToNumberBE(secret)));
  const mask = utils.taggedHash("BIP0340/aux", new Uint8Array(32));
  const nonces = numberToBytesBE(scalar, 32).map((byte, index) => byte ^ (mask[index] as number));
  const signing = { scalar, key: utils.pointToBytes(point), nonces };
  if (signingValues.size >= maxKeys) signingValues.clear();
  signingValues.set(cacheKey, signing);
  return signing;
}

/** Computes the nonce of BIP-340 before its sign is known: the scalar of R, or its negative. */
function nonceOf({ nonces, key }: SigningValues, digest: Uint8Array): bigint {
  return scalarOf("nonce", nonces, key, digest);
}

/**
 * Makes a deterministic BIP-340 signature in hexadecimal, with 32 zero bytes as auxiliary randomness. This is five times as fast as
 * the library: timing attacks do not matter for published keys, and the signature is not verified again.
 */
export function sign(digest: Uint8Array, secret: Uint8Array): string {
  return signOnce(signatures, digest, secret, (signing) => {
    const number = nonceOf(signing, digest);
    return signedWith({ number, point: Point.BASE.multiplyUnsafe(number) }, digest, signing);
  });
}

/** The private keys of the protocol's own vectors. */
const publishedKeys: ReadonlySet<string> = new Set(
  [keyA, keyB, keyC].flatMap(({ secret, tweaked }) => [bytesToHex(secret), bytesToHex(tweaked)]),
);

/**
 * Makes a valid, deterministic signature five times as fast as `sign`, for messages that are sent once. Its nonce is easy to guess,
 * which reveals the private key, so it is only for published test keys. Any other key signs as with `sign`.
 */
export function signCheaply(digest: Uint8Array, secret: Uint8Array): string {
  if (!publishedKeys.has(bytesToHex(secret))) return sign(digest, secret);
  return signOnce(cheapSignatures, digest, secret, (signing) => signedWith(cheapNonce(digest), digest, signing));
}

/** The size of the caches of signatures. If the suite plays both sides, it verifies each signature that it makes. */
const maxSignatures = 4096;
const signatures = new Map<string, string>();
const cheapSignatures = new Map<string, string>();

/** Returns the cached signature, or makes and caches it. */
function signOnce(
  cache: Map<string, string>,
  digest: Uint8Array,
  secret: Uint8Array,
  makeSignature: (signing: SigningValues) => string,
): string {
  const cacheKey = cacheKeyOf(digest, secret);
  const cached = cache.get(cacheKey);
  if (cached !== undefined) return cached;
  const sig = makeSignature(signingOf(secret));
  if (cache.size >= maxSignatures) cache.clear();
  cache.set(cacheKey, sig);
  return sig;
}

function cacheKeyOf(digest: Uint8Array, secret: Uint8Array): string {
  return bytesToHex(digest) + bytesToHex(secret);
}

/** Nonces whose points have an even y, by the x of the point. A known nonce is compared, which saves a multiplication. */
const noncesByX = new Map<bigint, bigint>();

function rememberNonce(x: bigint, nonce: bigint): void {
  if (noncesByX.size >= maxSignatures) noncesByX.clear();
  noncesByX.set(x, nonce);
}

function signedWith({ number, point }: Nonce, digest: Uint8Array, signing: SigningValues): string {
  const { x, y } = point.toAffine();
  const nonce = y % 2n === 0n ? number : Fn.neg(number);
  rememberNonce(x, nonce);
  const r = numberToBytesBE(x, 32);
  const s = Fn.create(nonce + challenge(r, signing.key, digest) * signing.scalar);
  return bytesToHex(r) + bytesToHex(numberToBytesBE(s, 32));
}

function challenge(r: Uint8Array, key: Uint8Array, digest: Uint8Array): bigint {
  return scalarOf("challenge", r, key, digest);
}

/**
 * Whether `sign` made a signature of 128 hexadecimal digits over this digest. Usually fast, because a different nonce is recognized
 * without curve arithmetic.
 */
export function isSigned(sig: string, digest: Uint8Array, secret: Uint8Array): boolean {
  const signing = signingOf(secret);
  const [r, s] = [hexToBytes(sig.slice(0, 64)), bytesToNumberBE(hexToBytes(sig.slice(64)))];
  const nonce = Fn.create(s - challenge(r, signing.key, digest) * signing.scalar);
  const expectedNonce = nonceOf(signing, digest);
  return (nonce === expectedNonce || nonce === Fn.neg(expectedNonce)) && sign(digest, secret) === sig;
}

/** Whether a signature of 128 hexadecimal digits verifies over the digest, for the key of an address or of 32 bytes. */
export function verify(sig: string, digest: Uint8Array, signer: string | Uint8Array): boolean {
  if (typeof signer === "string") {
    const address = decodeAddress(signer);
    return "key" in address && verify(sig, digest, address.key);
  }
  const secret = secretOf(signer);
  return secret === undefined ? schnorr.verify(hexToBytes(sig), digest, signer) : verifyWithSecret(sig, digest, secret);
}

/** The published private keys, by their public keys in hexadecimal. */
const secrets: ReadonlyMap<string, Uint8Array> = new Map(
  [keyA, keyB, keyC].flatMap(({ internal, output, secret, tweaked }) => [
    [internal, secret] as const,
    [output, tweaked] as const,
  ]),
);

function secretOf(key: Uint8Array): Uint8Array | undefined {
  return secrets.get(bytesToHex(key));
}

/** Verifies five times as fast with the private key d, because s·G − e·P is (s − e·d)·G. */
function verifyWithSecret(sig: string, digest: Uint8Array, secret: Uint8Array): boolean {
  const cacheKey = cacheKeyOf(digest, secret);
  if (signatures.get(cacheKey) === sig || cheapSignatures.get(cacheKey) === sig) return true;
  const signing = signingOf(secret);
  const bytes = hexToBytes(sig);
  const r = bytes.subarray(0, 32);
  const [x, s] = [bytesToNumberBE(r), bytesToNumberBE(bytes.subarray(32))];
  if (!Fp.isValidNot0(x) || !Fn.isValidNot0(s)) return false;
  const nonce = Fn.create(s - challenge(r, signing.key, digest) * signing.scalar);
  if (nonce === 0n) return false;
  const knownNonce = noncesByX.get(x);
  if (knownNonce !== undefined) return nonce === knownNonce;
  const point = Point.BASE.multiplyUnsafe(nonce).toAffine();
  if (point.y % 2n !== 0n || point.x !== x) return false;
  rememberNonce(x, nonce);
  return true;
}

/** The size of the cache of points, each with a large table. */
const maxPoints = 16;
const liftedPoints = new Map<string, InstanceType<typeof Point>>();

/** Returns the point of a key, with a table for fast multiplication. Throws if the key is not on the curve. */
function pointOf(key: Uint8Array): InstanceType<typeof Point> {
  const cacheKey = bytesToHex(key);
  let point = liftedPoints.get(cacheKey);
  if (point === undefined) {
    point = utils.lift_x(bytesToNumberBE(key)).precompute(8, false);
    if (liftedPoints.size >= maxPoints) liftedPoints.clear();
    liftedPoints.set(cacheKey, point);
  }
  return point;
}

/** Returns a function that verifies one signature over many digests, ten times as fast as `verify`. Both halves must be in range. */
export function verifier(sig: Uint8Array, key: Uint8Array): (digest: Uint8Array) => boolean {
  const secret = secretOf(key);
  if (secret !== undefined) {
    const text = bytesToHex(sig);
    return (digest) => verifyWithSecret(text, digest, secret);
  }
  const r = sig.subarray(0, 32);
  const point = pointOf(key);
  const basePoint = Point.BASE.multiplyUnsafe(bytesToNumberBE(sig.subarray(32)));
  return (digest) => {
    const noncePoint = basePoint.add(point.multiplyUnsafe(Fn.neg(challenge(r, key, digest))));
    if (noncePoint.is0()) return false;
    const { x, y } = noncePoint.toAffine();
    return y % 2n === 0n && x === bytesToNumberBE(r);
  };
}

/** Returns the half of a signature that is too large: r is not below the field prime, or s is not below the group order. */
export function outOfRange(sig: string): "r" | "s" | undefined {
  const bytes = hexToBytes(sig);
  if (bytesToNumberBE(bytes.subarray(0, 32)) >= Fp.ORDER) return "r";
  return bytesToNumberBE(bytes.subarray(32)) >= Fn.ORDER ? "s" : undefined;
}

/** Whether a value has the form of a signature. The schemas refuse other forms. */
export function isSignature(sig: unknown): sig is string {
  return typeof sig === "string" && /^[0-9a-f]{128}$/.test(sig);
}

/** Signs a signed message of a test key again. Any other message stays unchanged. */
export function signAgain(message: Json): Json {
  if (!isObject(message) || typeof message.sig !== "string" || !hasForm(message.from)) return message;
  const key = keyOf(message.from);
  const members = signedOf(message);
  if (key === undefined || members === undefined) return message;
  return { ...message, sig: sign(digestOf(signedBytes(members)), key.tweaked) };
}
