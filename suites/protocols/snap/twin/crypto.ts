import { schnorr } from "@noble/curves/secp256k1.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { Json } from "../../../../schemas/index.ts";
import { canonicalText } from "./json.ts";

const { Point } = schnorr;
const order = Point.Fn.ORDER;
const prime = Point.Fp.ORDER;
const alphabet = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
/** The generator of the bech32 checksum (BIP 173). */
const generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
/** The checksum of a valid bech32m string (BIP 350). */
const bech32mChecksum = 0x2bc830a3;

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const unhex = (digits: string): Uint8Array => Uint8Array.from(Buffer.from(digits, "hex"));
const bigIntOf = (bytes: Uint8Array): bigint => BigInt(`0x${hex(bytes)}`);

function checksum(words: readonly number[]): number {
  return (
    words.reduce((sum, word) => {
      const top = sum >>> 25;
      const next = ((sum & 0x1ffffff) << 5) ^ word;
      return generator.reduce((partial, term, bit) => ((top >>> bit) & 1 ? partial ^ term : partial), next);
    }, 1) >>> 0
  );
}

function prefixWords(prefix: string): number[] {
  const codes = [...prefix].map((char) => char.charCodeAt(0));
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
}

type DecodedKey = { key: string } | { why: string };

/** The maximum number of results in each cache. */
const cacheSize = 100;

/** A cache, since messages use the same few addresses again and again. */
const decodedKeys = new Map<string, DecodedKey>();

/** Returns the key that a well-formed address contains, in hexadecimal, or why the address is invalid. */
export function keyIn(address: string): DecodedKey {
  const decodedKey = decodedKeys.get(address) ?? decodeKey(address);
  if (decodedKeys.size === cacheSize) decodedKeys.clear();
  decodedKeys.set(address, decodedKey);
  return decodedKey;
}

function decodeKey(address: string): DecodedKey {
  const words = [...address.slice(3)].map((char) => alphabet.indexOf(char));
  if (words.includes(-1)) return { why: "has an invalid character" };
  if (checksum([...prefixWords(address.slice(0, 2)), ...words]) !== bech32mChecksum)
    return { why: "has a wrong checksum" };
  const [version, ...data] = words.slice(0, -6);
  if (version !== 1) return { why: "has another witness version" };
  const bits = data.map((word) => word.toString(2).padStart(5, "0")).join("");
  if (bits.length !== 260) return { why: "has a program of another length" };
  if (bits.slice(256) !== "0000") return { why: "has padding that is not zero" };
  const key = BigInt(`0b${bits.slice(0, 256)}`)
    .toString(16)
    .padStart(64, "0");
  try {
    schnorr.utils.lift_x(BigInt(`0x${key}`)).assertValidity();
  } catch {
    return { why: "is not a point on the curve" };
  }
  return { key };
}

/** Returns the address of an output key on the network with this prefix. */
export function addressOf(prefix: string, key: string): string {
  const bits = `${BigInt(`0x${key}`).toString(2).padStart(256, "0")}0000`;
  const words = [1, ...(bits.match(/.{5}/g) ?? []).map((group) => Number.parseInt(group, 2))];
  const sum = checksum([...prefixWords(prefix), ...words, 0, 0, 0, 0, 0, 0]) ^ bech32mChecksum;
  const tail = [5, 4, 3, 2, 1, 0].map((index) => (sum >>> (5 * index)) & 31);
  return `${prefix}1${[...words, ...tail].map((word) => alphabet[word]).join("")}`;
}

function tweakOf(internal: string): bigint {
  const tag = sha256(new TextEncoder().encode("TapTweak"));
  return bigIntOf(sha256(Buffer.concat([tag, tag, unhex(internal)])));
}

/** Derives the output key from an internal key (BIP 341). Throws if the internal key is not the x coordinate of a point. */
export function outputOf(internal: string): string {
  const point = schnorr.utils.lift_x(BigInt(`0x${internal}`)).add(Point.BASE.multiply(tweakOf(internal)));
  return point.toAffine().x.toString(16).padStart(64, "0");
}

/** Derives the keys that belong to a private key. Throws for an invalid key. */
export function keysOf(secret: string): { internal: string; output: string; tweaked: Uint8Array } {
  const scalar = BigInt(`0x${secret}`);
  if (scalar === 0n || scalar >= order) throw new RangeError("not a private key");
  const { x, y } = Point.BASE.multiply(scalar).toAffine();
  const internal = x.toString(16).padStart(64, "0");
  const evenScalar = y % 2n === 0n ? scalar : order - scalar;
  const tweaked = ((evenScalar + tweakOf(internal)) % order).toString(16).padStart(64, "0");
  return { internal, output: outputOf(internal), tweaked: unhex(tweaked) };
}

/** The signed part of a message. */
export interface Signable {
  id: string;
  from: string;
  to?: string;
  type: string;
  method: string;
  payload: Json;
  timestamp: number;
}

/** Returns the bytes that are signed. Throws if the payload has no canonical form. */
export function bytesOf({ id, from, to = "", type, method, payload, timestamp }: Signable): Uint8Array {
  const fields = [id, from, to, type, method, canonicalText(payload), BigInt(timestamp).toString()];
  return new TextEncoder().encode(fields.join("\0"));
}

export function digestOf(bytes: Uint8Array): Uint8Array {
  return sha256(bytes);
}

export function cardDigest(card: Json, timestamp: number): Uint8Array {
  return sha256(new TextEncoder().encode(`${canonicalText(card)}|${BigInt(timestamp)}`));
}

/** Makes a deterministic signature in hexadecimal. */
export function signDigest(digest: Uint8Array, secret: Uint8Array): string {
  return hex(schnorr.sign(digest, secret, new Uint8Array(32)));
}

/** A cache of verifications, since a message is judged once for each freedom. */
const verdicts = new Map<string, boolean>();

/** Whether 128 hexadecimal digits are a signature over the digest by a key in hexadecimal. */
export function verifies(sig: string, digest: Uint8Array, key: string): boolean {
  const cacheKey = `${sig} ${hex(digest)} ${key}`;
  const cachedVerdict = verdicts.get(cacheKey);
  if (cachedVerdict !== undefined) return cachedVerdict;
  if (verdicts.size === cacheSize) verdicts.clear();
  const isValid = verify(sig, digest, key);
  verdicts.set(cacheKey, isValid);
  return isValid;
}

function verify(sig: string, digest: Uint8Array, key: string): boolean {
  if (BigInt(`0x${sig.slice(0, 64)}`) >= prime || BigInt(`0x${sig.slice(64)}`) >= order) return false;
  try {
    return schnorr.verify(unhex(sig), digest, unhex(key));
  } catch {
    return false;
  }
}

export { hex };
