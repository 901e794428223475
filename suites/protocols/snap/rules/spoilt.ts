import { hexToBytes } from "@noble/curves/utils.js";
import { bech32, bech32m } from "@scure/base";
import { addressFor, type Network, prefixes } from "./address.ts";
import { a } from "./keys.ts";

type Spoilt =
  | "changedEnd"
  | "changedData"
  | "swapped"
  | "bech32"
  | "otherNetwork"
  | "foreignLetter"
  | "padding"
  | "morePadding"
  | "offCurve"
  | "pastThePrime";

/** Addresses that have the form of one, and are none. */
export const spoiltAddresses: Readonly<Record<Spoilt, string>> = {
  changedEnd: `${a.address.main.slice(0, -1)}q`,
  changedData: a.address.main.replace("das60ge", "dasq0ge"),
  swapped: a.address.main.replace("nzfr", "nzrf"),
  bech32: bech32.encode("bc", bech32m.decode(a.address.main as `bc1${string}`).words),
  otherNetwork: `tb${a.address.main.slice(2)}`,
  foreignLetter: a.address.main.replace("9vr5", "bvr5"),
  padding: withPadding(hexToBytes(a.output), 1),
  morePadding: withPadding(hexToBytes(a.output), 8),
  offCurve: addressFor(hexToBytes("5".padStart(64, "0"))),
  pastThePrime: addressFor(new Uint8Array(32).fill(0xff)),
};

/** An address whose last group has more bits set than the key needs. */
export function withPadding(key: Uint8Array, bits: number, network: Network = "main"): string {
  const words = bech32m.toWords(key);
  const last = words.pop() ?? 0;
  return bech32m.encode(prefixes[network], [1, ...words, last | bits]);
}
