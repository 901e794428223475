import { schnorr } from "@noble/curves/secp256k1.js";
import { bytesToNumberBE } from "@noble/curves/utils.js";
import { bech32m } from "@scure/base";

export type Network = "main" | "test";

export const prefixes: Readonly<Record<Network, string>> = { main: "bc", test: "tb" };

/** Faults of an address, in the order of reading. */
export type AddressFault = "checksum" | "program" | "point";

/** The result of decoding an address: its key, or its first fault. */
export type Decoded = { key: Uint8Array } | { fault: AddressFault; why: string };

/** Whether an address has the form that the schemas require. */
export function hasForm(address: unknown): address is string {
  return typeof address === "string" && /^(bc1p|tb1p)[a-z0-9]{58}$/.test(address);
}

/** Makes a taproot address for a key of 32 bytes. */
export function addressFor(key: Uint8Array, network: Network = "main"): string {
  return bech32m.encode(prefixes[network], [1, ...bech32m.toWords(key)]);
}

/** Returns the address of the same key on the other network, which is a different identity. An invalid address stays unchanged. */
export function otherNetworkOf(address: string): string {
  const decoded = decodeAddress(address);
  return "key" in decoded ? addressFor(decoded.key, networkOf(address) === "main" ? "test" : "main") : address;
}

/** Whether a value has the form of an address, but is invalid. */
export function isMiswritten(address: unknown): boolean {
  return hasForm(address) && !("key" in decodeAddress(address));
}

/** Returns the network of a well-formed address. */
export function networkOf(address: string): Network {
  return address.startsWith(prefixes.test) ? "test" : "main";
}

/** The size of the cache. Usually a few addresses occur again and again, but a hostile sender may use many. */
const maxDecoded = 256;
const decodedAddresses = new Map<string, Decoded>();

/** Reads an address according to BIP-350 and BIP-341. */
export function decodeAddress(address: string): Decoded {
  const decoded = decodedAddresses.get(address) ?? readAddress(address);
  if (decodedAddresses.size >= maxDecoded) decodedAddresses.clear();
  decodedAddresses.set(address, decoded);
  return decoded;
}

function readAddress(address: string): Decoded {
  const words = bech32m.decodeUnsafe(address)?.words;
  if (words === undefined) return { fault: "checksum", why: "has a checksum that is not that of bech32m" };
  const [version, ...data] = words;
  if (version !== 1) return { fault: "program", why: `has witness version ${version}, not 1` };
  const key = bech32m.fromWordsUnsafe(data);
  // 52 groups of five bits are 32 bytes and four more bits.
  if (data.length !== 52) return { fault: "program", why: "has a program that is not of 32 bytes" };
  if (!key) return { fault: "program", why: "has padding bits that are not zero" };
  return isOnCurve(key) ? { key } : { fault: "point", why: "holds 32 bytes that are the x of no point on secp256k1" };
}

/** Whether the bytes are the x coordinate of a point. */
export function isOnCurve(x: Uint8Array): boolean {
  try {
    schnorr.utils.lift_x(bytesToNumberBE(x));
    return true;
  } catch {
    return false;
  }
}
