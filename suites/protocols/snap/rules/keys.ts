import { schnorr } from "@noble/curves/secp256k1.js";
import { bytesToHex, bytesToNumberBE, hexToBytes, numberToBytesBE } from "@noble/curves/utils.js";
import { isObject, type Json } from "../../../../schemas/index.ts";
import { addressFor, type Network } from "./address.ts";

const { Point, utils } = schnorr;
const { Fn } = Point;

/** An identity with a published private key: for vectors only. */
export interface TestKey {
  /** The key of P, as a wallet exports it. */
  secret: Uint8Array;
  /** The key that signs messages: the key of Q. */
  tweaked: Uint8Array;
  /** The x of P, which is the public key on Nostr, and the x of Q, which is in the address; both in hexadecimal. */
  internal: string;
  output: string;
  address: Readonly<Record<Network, string>>;
}

/** The x of Q for the x of P, derived by BIP-341 without a script tree. */
export function outputKey(internal: Uint8Array): Uint8Array {
  const tweak = bytesToNumberBE(utils.taggedHash("TapTweak", internal));
  return utils.pointToBytes(utils.lift_x(bytesToNumberBE(internal)).add(Point.BASE.multiplyUnsafe(tweak)));
}

/** The private key of Q, from that of P and P's x. P is used with an even y, so its key is negated if y is odd. */
function tweakedSecret(secret: Uint8Array, internal: Uint8Array): Uint8Array {
  const scalar = bytesToNumberBE(secret);
  const hasEvenY = Point.BASE.multiplyUnsafe(scalar).toAffine().y % 2n === 0n;
  const tweak = bytesToNumberBE(utils.taggedHash("TapTweak", internal));
  return numberToBytesBE(Fn.create((hasEvenY ? scalar : Fn.neg(scalar)) + tweak), 32);
}

/** The identity of this private key. */
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

/** The identities of the protocol's own vectors. P has an odd y for `a` and `c`, and an even one for `b`. */
export const a: TestKey = keyFrom(new Uint8Array(32).fill(0x0a));
export const keyB: TestKey = keyFrom(new Uint8Array(32).fill(0x0b));
export const keyC: TestKey = keyFrom(new Uint8Array(32).fill(0x0c));

/** The test key with this address on either network. */
export function keyOf(address: unknown): TestKey | undefined {
  return [a, keyB, keyC].find((key) => key.address.main === address || key.address.test === address);
}

/** The key of a record that names its private key in hexadecimal. */
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
