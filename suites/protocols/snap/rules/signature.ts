import { hash } from "node:crypto";
import { schnorr } from "@noble/curves/secp256k1.js";
import { bytesToHex, bytesToNumberBE, hexToBytes, numberToBytesBE } from "@noble/curves/utils.js";
import { canonical, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { decodeAddress, hasForm } from "./address.ts";
import { a, keyB, keyC, keyOf } from "./keys.ts";
import { cheapNonce, type Nonce } from "./nonces.ts";

/** The signed members of a message, in the form that is signed. */
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

/** The members in the order of signing. */
export const order: readonly (keyof SignedMembers)[] = ["id", "from", "to", "type", "method", "payload", "timestamp"];

const { Point, utils } = schnorr;
const { Fn, Fp } = Point;

/** The signed input of a message; undefined if a member has another type, or the payload no canonical form. */
export function signedOf({
  id,
  from,
  to = "",
  type,
  method,
  payload,
  timestamp,
}: JsonObject): SignedMembers | undefined {
  const texts = { id, from, to, type, method };
  if (Object.values(texts).some((text) => typeof text !== "string")) return undefined;
  const text = isObject(payload) ? canonicalOf(payload) : undefined;
  if (text === undefined || typeof timestamp !== "number" || !Number.isInteger(timestamp)) return undefined;
  return { ...(texts as Record<keyof typeof texts, string>), payload: text, timestamp: BigInt(timestamp).toString() };
}

/** Canonical JSON text; undefined for a lone surrogate, or extreme nesting. */
export function canonicalOf(value: Json): string | undefined {
  try {
    return canonical(value);
  } catch {
    return undefined;
  }
}

/** The hashed bytes: seven fields, separated by zero bytes. */
export function signedBytes(members: SignedMembers): Uint8Array {
  return new TextEncoder().encode(order.map((name) => members[name]).join("\0"));
}

/** The bytes that BIP-340 signs: one hash of the message. */
export function digestOf(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(hash("sha256", bytes, "buffer"));
}

/** The prefix of a tagged hash by BIP-340: the tag's own hash, twice. */
const tagOf = (tag: string): Buffer => {
  const tagHash = hash("sha256", tag, "buffer");
  return Buffer.concat([tagHash, tagHash]);
};
const tags = { nonce: tagOf("BIP0340/nonce"), challenge: tagOf("BIP0340/challenge") } as const;

function scalarOf(tag: keyof typeof tags, ...parts: Uint8Array[]): bigint {
  return Fn.create(BigInt(`0x${hash("sha256", Buffer.concat([tags[tag], ...parts]), "hex")}`));
}

/** The values of a private key that are the same for every signature: the scalar with a point of even y, that point's x, and the source of nonces. */
interface SigningValues {
  scalar: bigint;
  key: Uint8Array;
  nonces: Uint8Array;
}

/** The number of stored keys: few keys make many signatures. */
const maxKeys = 64;
const signings = new Map<string, SigningValues>();

function signingOf(secret: Uint8Array): SigningValues {
  const name = bytesToHex(secret);
  const signatures = signings.get(name);
  if (signatures !== undefined) return signatures;
  const point = Point.BASE.multiplyUnsafe(bytesToNumberBE(secret));
  const { y } = point.toAffine();
  const scalar = Fn.create(y % 2n === 0n ? bytesToNumberBE(secret) : Fn.neg(bytesToNumberBE(secret)));
  const mask = utils.taggedHash("BIP0340/aux", new Uint8Array(32));
  const nonces = numberToBytesBE(scalar, 32).map((byte, index) => byte ^ (mask[index] as number));
  const signing = { scalar, key: utils.pointToBytes(point), nonces };
  if (signings.size >= maxKeys) signings.clear();
  signings.set(name, signing);
  return signing;
}

/** The number with the point R, or its negative. */
function nonceOf({ nonces, key }: SigningValues, digest: Uint8Array): bigint {
  return scalarOf("nonce", nonces, key, digest);
}

/**
 * A deterministic signature in hexadecimal: the auxiliary randomness is 32 zero bytes. It has the same bytes as
 * BIP-340 in a fifth of the time, because the keys are public, so that timing attacks do not matter, and
 * the signature is not verified again.
 */
export function sign(digest: Uint8Array, secret: Uint8Array): string {
  return rememberDigest(madeSignatures, digest, secret, (signing) => {
    const number = nonceOf(signing, digest);
    return signedWith({ number, point: Point.BASE.multiplyUnsafe(number) }, digest, signing);
  });
}

/** The private keys of the protocol's own vectors. */
const publishedKeys: ReadonlySet<string> = new Set(
  [a, keyB, keyC].flatMap(({ secret, tweaked }) => [bytesToHex(secret), bytesToHex(tweaked)]),
);

/**
 * A valid, deterministic signature, in a fifth of that time, for messages that are sent once. Its nonce is easy to guess, which
 * reveals the private key. It is therefore only for public test keys; with any other key, `sign` makes it.
 */
export function signCheaply(digest: Uint8Array, secret: Uint8Array): string {
  if (!publishedKeys.has(bytesToHex(secret))) return sign(digest, secret);
  return rememberDigest(madeCheaply, digest, secret, (signing) => signedWith(cheapNonce(digest), digest, signing));
}

/** The number of recent signatures that are stored. If both sides of an exchange are ours, each signature is checked as often as it is made. */
const maxSignatures = 4096;
const madeSignatures = new Map<string, string>();
const madeCheaply = new Map<string, string>();

function rememberDigest(
  signatures: Map<string, string>,
  digest: Uint8Array,
  secret: Uint8Array,
  members: (signing: SigningValues) => string,
): string {
  const name = nameOf(digest, secret);
  const knownSignature = signatures.get(name);
  if (knownSignature !== undefined) return knownSignature;
  const sig = members(signingOf(secret));
  if (signatures.size >= maxSignatures) signatures.clear();
  signatures.set(name, sig);
  return sig;
}

function nameOf(digest: Uint8Array, secret: Uint8Array): string {
  return bytesToHex(digest) + bytesToHex(secret);
}

/** The numbers with points of even y, by their x. A known number is compared instead of multiplied again. */
const nonces = new Map<bigint, bigint>();

function rememberNonce(x: bigint, nonce: bigint): void {
  if (nonces.size >= maxSignatures) nonces.clear();
  nonces.set(x, nonce);
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
 * Whether `sign` made a signature of 128 hexadecimal digits over this digest. A negative answer is usually quick, because another nonce
 * is recognized without arithmetic on the curve.
 */
export function isSigned(sig: string, digest: Uint8Array, secret: Uint8Array): boolean {
  const signing = signingOf(secret);
  const [r, s] = [hexToBytes(sig.slice(0, 64)), bytesToNumberBE(hexToBytes(sig.slice(64)))];
  const nonce = Fn.create(s - challenge(r, signing.key, digest) * signing.scalar);
  const drawn = nonceOf(signing, digest);
  return (nonce === drawn || nonce === Fn.neg(drawn)) && sign(digest, secret) === sig;
}

/** Whether a signature of 128 hexadecimal digits verifies over the digest, for the key of an address or of 32 bytes. */
export function verify(sig: string, digest: Uint8Array, by: string | Uint8Array): boolean {
  if (typeof by === "string") {
    const address = decodeAddress(by);
    return "key" in address && verify(sig, digest, address.key);
  }
  const secret = secretOf(by);
  return secret === undefined ? schnorr.verify(hexToBytes(sig), digest, by) : isBy(sig, digest, secret);
}

/** The published private keys, by their public keys. */
const secrets: ReadonlyMap<string, Uint8Array> = new Map(
  [a, keyB, keyC].flatMap(({ internal, output, secret, tweaked }) => [
    [internal, secret] as const,
    [output, tweaked] as const,
  ]),
);

function secretOf(key: Uint8Array): Uint8Array | undefined {
  return secrets.get(bytesToHex(key));
}

/** The result of `verify` in a fifth of the time: with the private key d, s·G − e·P is (s − e·d)·G. */
function isBy(sig: string, digest: Uint8Array, secret: Uint8Array): boolean {
  const name = nameOf(digest, secret);
  if (madeSignatures.get(name) === sig || madeCheaply.get(name) === sig) return true;
  const signing = signingOf(secret);
  const bytes = hexToBytes(sig);
  const r = bytes.subarray(0, 32);
  const [x, s] = [bytesToNumberBE(r), bytesToNumberBE(bytes.subarray(32))];
  if (!Fp.isValidNot0(x) || !Fn.isValidNot0(s)) return false;
  const nonce = Fn.create(s - challenge(r, signing.key, digest) * signing.scalar);
  if (nonce === 0n) return false;
  const signatures = nonces.get(x);
  if (signatures !== undefined) return nonce === signatures;
  const point = Point.BASE.multiplyUnsafe(nonce).toAffine();
  if (point.y % 2n !== 0n || point.x !== x) return false;
  rememberNonce(x, nonce);
  return true;
}

const liftedPoints = new Map<string, InstanceType<typeof Point>>();

/** The point of a key, with a table for fast multiplication. Throws if 32 bytes are not a valid key. */
function pointOf(key: Uint8Array): InstanceType<typeof Point> {
  const name = bytesToHex(key);
  let point = liftedPoints.get(name);
  if (point === undefined) {
    point = utils.lift_x(bytesToNumberBE(key)).precompute(8, false);
    if (liftedPoints.size >= 16) liftedPoints.clear();
    liftedPoints.set(name, point);
  }
  return point;
}

/** Returns a function that verifies one signature within range over many digests, in a tenth of the time of `verify`. */
export function verifier(sig: Uint8Array, key: Uint8Array): (digest: Uint8Array) => boolean {
  const secret = secretOf(key);
  if (secret !== undefined) {
    const text = bytesToHex(sig);
    return (digest) => isBy(text, digest, secret);
  }
  const r = sig.subarray(0, 32);
  const point = pointOf(key);
  const sum = Point.BASE.multiplyUnsafe(bytesToNumberBE(sig.subarray(32)));
  return (digest) => {
    const nonce = sum.add(point.multiplyUnsafe(Fn.neg(challenge(r, key, digest))));
    if (nonce.is0()) return false;
    const { x, y } = nonce.toAffine();
    return y % 2n === 0n && x === bytesToNumberBE(r);
  };
}

/** The half of a signature that is too large: r is not below the field prime, or s is not below the group order. */
export function outOfRange(sig: string): "r" | "s" | undefined {
  const bytes = hexToBytes(sig);
  if (bytesToNumberBE(bytes.subarray(0, 32)) >= Fp.ORDER) return "r";
  return bytesToNumberBE(bytes.subarray(32)) >= Fn.ORDER ? "s" : undefined;
}

/** Whether a value has the form of a signature; the schemas judge any other form. */
export function isSignature(sig: unknown): sig is string {
  return typeof sig === "string" && /^[0-9a-f]{128}$/.test(sig);
}

/** Signs a message that has a signature and comes from a test key; any other message stays unchanged. */
export function signAgain(message: Json): Json {
  if (!isObject(message) || typeof message.sig !== "string" || !hasForm(message.from)) return message;
  const key = keyOf(message.from);
  const members = signedOf(message);
  if (key === undefined || members === undefined) return message;
  return { ...message, sig: sign(digestOf(signedBytes(members)), key.tweaked) };
}
