import { schnorr } from "@noble/curves/secp256k1.js";
import { bytesToHex, bytesToNumberBE, hexToBytes, numberToBytesBE } from "@noble/curves/utils.js";
import { isObject, type Json } from "../../../../schemas/index.ts";
import { addressFor, type Network } from "./address.ts";

const { Point, utils } = schnorr;
const { Fn } = Point;

/** An identity with a published private key: for vectors only. */
export interface TestKey {
  /** The private key as a wallet exports it. It belongs to the internal key P of BIP-341. */
  secret: Uint8Array;
  /** The private key that signs messages. It belongs to the output key Q. */
  tweaked: Uint8Array;
  /** The x coordinate of P in hexadecimal: the public key on Nostr. */
  internal: string;
  /** The x coordinate of Q in hexadecimal: the key in the address. */
  output: string;
  address: Readonly<Record<Network, string>>;
}

/** Derives the output key Q from the internal key P, as BIP-341 does without a script tree. Both are x coordinates. */
export function outputKey(internal: Uint8Array): Uint8Array {
  const tweak = bytesToNumberBE(utils.taggedHash("TapTweak", internal));
  return utils.pointToBytes(utils.lift_x(bytesToNumberBE(internal)).add(Point.BASE.multiplyUnsafe(tweak)));
}

/** Derives the private key of Q from the private key of P. BIP-341 uses P with an even y, so an odd y negates the key. */
function tweakedSecret(secret: Uint8Array, internal: Uint8Array): Uint8Array {
  const scalar = bytesToNumberBE(secret);
  const hasEvenY = Point.BASE.multiplyUnsafe(scalar).toAffine().y % 2n === 0n;
  const tweak = bytesToNumberBE(utils.taggedHash("TapTweak", internal));
  return numberToBytesBE(Fn.create((hasEvenY ? scalar : Fn.neg(scalar)) + tweak), 32);
}

/** Derives the identity of a private key. */
export function keyFrom(secret: Uint8Array): TestKey {
  const internal = schnorr.getPublicKey(secret);
  const output = outputKey(internal);
  return {
    secret,
    tweaked: tweakedSecret(secret, internal),
    internal: bytesToHex(internal),
    output: bytesToHex(output),
    address: { main: addressFor(output), test: addressFor(output, "test") },
  };
}

/** The identities in the protocol's own vectors. P has an odd y for A and C, and an even y for B. */
export const keyA: TestKey = keyFrom(new Uint8Array(32).fill(0x0a));
export const keyB: TestKey = keyFrom(new Uint8Array(32).fill(0x0b));
export const keyC: TestKey = keyFrom(new Uint8Array(32).fill(0x0c));

/** Finds the test key with this address on either network. */
export function keyOf(address: unknown): TestKey | undefined {
  return [keyA, keyB, keyC].find((key) => key.address.main === address || key.address.test === address);
}

/** Derives the key of a record that names its private key in hexadecimal. Undefined for an invalid private key. */
export function keyIn(record: Json): TestKey | undefined {
  const secret = isObject(record) ? record.privateKey : undefined;
  if (typeof secret !== "string" || !/^[0-9a-f]{64}$/.test(secret)) return undefined;
  try {
    return keyFrom(hexToBytes(secret));
  } catch {
    // Zero, and values from the group order upwards, are not keys.
    return undefined;
  }
}
