import { schnorr } from "@noble/curves/secp256k1.js";
import { bytesToHex, bytesToNumberBE, hexToBytes } from "@noble/curves/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import type { Cases, InvalidCase, JsonObject } from "../../../../schemas/index.ts";
import { addressFor } from "./address.ts";
import { a, b, c, outputKey, type TestKey } from "./keys.ts";
import { done, replaced, request, said, signedBy, unsigned } from "./messages.ts";
import { resigning } from "./resigning.ts";
import { spoiltAddresses, withPadding } from "./spoilt.ts";

/** What the rules on identities are tried with. */
export function identityCases(): Cases[] {
  return [checksums(), programs(), points(), derivations(), networks(), internalKeys()];
}

const answer = unsigned("message/send", { task: done });
const toTestnet: JsonObject = { ...answer, from: b.address.test, to: a.address.test };

function checksums(): Cases {
  const signed = request("message/send", { message: said });
  const { changedEnd, changedData, swapped, bech32: older, otherNetwork, foreignLetter } = spoiltAddresses;
  return {
    rule: "SNAP-ADDR-001",
    document: "envelope",
    valid: [
      { name: "mainnet", says: "is an address on mainnet", at: "/to", data: answer },
      { name: "testnet", says: "is an address on testnet", at: "/to", edge: true, data: toTestnet },
      { name: "signed", says: "is an address on mainnet, and signs", at: "/from", data: signed },
    ],
    invalid: [
      { ...replaced("last-character", "has another last character", "/to", changedEnd), edge: true },
      replaced("first-half", "has another character in its first half", "/to", changedData),
      replaced("swapped", "has two characters in exchanged order", "/to", swapped),
      replaced("bech32", "has a checksum of bech32, not bech32m", "/to", older),
      replaced("foreign-letter", "has a letter that the alphabet lacks", "/to", foreignLetter),
      replaced("other-network", "has the checksum of the same key on mainnet", "/to", otherNetwork, "testnet"),
      replaced("sender", "has another last character", "/from", `${b.address.main.slice(0, -1)}p`),
      {
        name: "signed-recipient",
        says: "has another character in its first half, and is signed as it is",
        from: "signed",
        change: resigning(signed, { op: "replace", path: "/to", value: changedData }),
      },
      replaced("signed-sender", "has another last character", "/from", changedEnd, "signed"),
    ],
  };
}

function programs(): Cases {
  return {
    rule: "SNAP-ADDR-002",
    document: "envelope",
    valid: [
      { name: "zero-bits", says: "ends in four bits that are zero", at: "/to", edge: true, data: answer },
      { name: "testnet", says: "ends in four bits that are zero", at: "/to", data: toTestnet },
    ],
    invalid: [
      { ...replaced("lowest-bit", "has one padding bit set", "/to", spoiltAddresses.padding), edge: true },
      replaced("highest-bit", "has the first of its padding bits set", "/to", spoiltAddresses.morePadding),
      replaced("sender", "has a padding bit set", "/from", withPadding(hexToBytes(b.output), 1)),
    ],
  };
}

function points(): Cases {
  return {
    rule: "SNAP-ADDR-004",
    document: "envelope",
    valid: [
      { name: "point", says: "holds the x of a point", at: "/to", data: answer },
      {
        name: "smallest-x",
        says: "holds 1, which is the x of a point",
        at: "/to",
        edge: true,
        data: { ...answer, to: addressFor(hexToBytes("1".padStart(64, "0"))) },
      },
    ],
    invalid: [
      { ...replaced("five", "holds 5, which is the x of no point", "/to", spoiltAddresses.offCurve), edge: true },
      replaced("past-the-prime", "holds a number beyond the field", "/to", spoiltAddresses.pastThePrime),
      replaced("zero", "holds 0", "/to", addressFor(new Uint8Array(32))),
      replaced("sender", "holds 5, which is the x of no point", "/from", spoiltAddresses.offCurve),
    ],
  };
}

function networks(): Cases {
  const signed = request("message/send", { message: said });
  const mixed = { ...signed, from: a.address.test };
  return {
    rule: "SNAP-ADDR-006",
    document: "envelope",
    valid: [
      { name: "mainnet", says: "is on mainnet, as from is", at: "/to", data: answer },
      { name: "testnet", says: "is on testnet, as from is", at: "/to", edge: true, data: toTestnet },
      { name: "signed", says: "is on mainnet, as from is", at: "/to", data: signed },
    ],
    invalid: [
      replaced("recipient-on-testnet", "is on testnet, and from is not", "/to", a.address.test),
      replaced("recipient-on-mainnet", "is on mainnet, and from is not", "/to", a.address.main, "testnet"),
      { ...replaced("same-key", "is the sender's own key on testnet", "/to", b.address.test), edge: true },
      {
        name: "signed-as-it-is",
        says: "is on mainnet, and from is not, while the signature is right",
        at: "/to",
        from: "signed",
        change: [
          { op: "replace", path: "/from", value: mixed.from },
          { op: "replace", path: "/sig", value: String(signedBy(a, mixed).sig) },
        ],
      },
    ],
  };
}

function recordOf({ secret, internal, output, address }: TestKey): JsonObject {
  return { privateKey: bytesToHex(secret), internalKey: internal, outputKey: output, address: address.main };
}

const odd = recordOf(a);
const even = recordOf(b);

/** The x of P + tG where the tweak comes from something else, or P is not taken with an even y. */
function derivedWrongly({ secret }: TestKey, tweak: Uint8Array, isLifted = true): string {
  const { Point, utils } = schnorr;
  const point = Point.BASE.multiply(bytesToNumberBE(secret));
  const internal = isLifted ? utils.lift_x(point.toAffine().x) : point;
  return bytesToHex(utils.pointToBytes(internal.add(Point.BASE.multiply(bytesToNumberBE(tweak)))));
}

function derivations(): Cases {
  const { taggedHash } = schnorr.utils;
  const [ofA, ofB] = [hexToBytes(a.internal), hexToBytes(b.internal)];
  const wrong = (name: string, says: string, key: string, from?: string): InvalidCase => ({
    name,
    says,
    at: "/outputKey",
    change: [
      { op: "replace", path: "/outputKey", value: key },
      { op: "replace", path: "/address", value: addressFor(hexToBytes(key)) },
    ],
    ...(from === undefined ? {} : { from }),
  });
  return {
    rule: "SNAP-ADDR-005",
    document: "identity",
    valid: [
      { name: "odd", says: "is of a key whose point has an odd y", edge: true, data: odd },
      { name: "even", says: "is of a key whose point has an even y", data: even },
      { name: "testnet", says: "is of a key on testnet", data: { ...recordOf(c), address: c.address.test } },
    ],
    invalid: [
      replaced("internal-in-address", "holds the internal key", "/address", addressFor(ofA)),
      wrong("internal", "is the internal key itself", b.internal, "even"),
      wrong(
        "not-lifted",
        "was derived from the point with its odd y",
        derivedWrongly(a, taggedHash("TapTweak", ofA), false),
      ),
      wrong("untagged", "was derived with a hash that has no tag", derivedWrongly(b, sha256(ofB)), "even"),
      wrong(
        "script-tree",
        "was derived for a script tree",
        derivedWrongly(b, taggedHash("TapTweak", ofB, new Uint8Array(32))),
        "even",
      ),
      wrong("twice", "was derived twice", bytesToHex(outputKey(hexToBytes(a.output)))),
      replaced("other-key", "is the address of another key", "/address", c.address.main),
    ],
  };
}

function internalKeys(): Cases {
  return {
    rule: "SNAP-SIG-014",
    document: "identity",
    valid: [
      { name: "odd", says: "is the x of a point with an odd y", at: "/internalKey", edge: true, data: odd },
      { name: "even", says: "is the x of a point with an even y", at: "/internalKey", data: even },
    ],
    invalid: [
      replaced("output", "is the output key", "/internalKey", a.output),
      replaced("private", "is the private key", "/internalKey", String(even.privateKey), "even"),
    ],
  };
}
