import { schnorr } from "@noble/curves/secp256k1.js";
import { bytesToNumberBE, hexToBytes } from "@noble/curves/utils.js";
import { describe, expect, it } from "vitest";
import { type Json, type JsonObject, protocolNamed } from "../../../../schemas/index.ts";
import { ruled } from "../../../packs/pack/load.ts";
import { keyA } from "./keys.ts";
import { digestOf, order, type SignedMembers, signedBytes, signedOf, verify } from "./signature.ts";
import { type JsonSpelling, spellValue } from "./spelling.ts";

const cases = (await ruled(protocolNamed("snap"))).families.flatMap((family) => family.cases);

/** Whether a party that serializes payloads in this spelling refuses a correctly signed message. */
function refusesValidMessage(spelling: JsonSpelling): boolean {
  const valid = cases.find(({ rule, document }) => rule === "SNAP-SIG-002" && document === "envelope")?.valid ?? [];
  return valid.some(({ data, text }) => {
    const message = (data ?? JSON.parse(String(text))) as JsonObject;
    const signedMembers = {
      ...signedOf(message),
      payload: spellValue(message.payload as Json, spelling),
    } as SignedMembers;
    expect(order.every((member) => signedMembers[member] !== undefined)).toBe(true);
    return !verify(String(message.sig), digestOf(signedBytes(signedMembers)), keyA.address.main);
  });
}

describe("the cases of signatures", () => {
  it("verify for a party that follows RFC 8785", () => {
    expect(refusesValidMessage({})).toBe(false);
  });

  it.each<[string, JsonSpelling]>([
    ["the sign of a zero", { number: (value) => (Object.is(value, -0) ? "-0" : String(value)) }],
    ["an exponent from 1e17 on", { number: (value) => (value === 1e20 ? "1e+20" : String(value)) }],
    ["escapes for line separators", { string: (text) => JSON.stringify(text).replace(/\u2028/g, "\\u2028") }],
  ])("do not verify for a party that writes %s", (_, spelling) => {
    expect(refusesValidMessage(spelling)).toBe(true);
  });

  it("include an invalid one that only verifies if integers are not read as doubles", () => {
    const { invalid = [] } =
      cases.find(({ rule, document }) => rule === "SNAP-SIG-002" && document === "envelope") ?? {};
    const text = String(invalid.find(({ name }) => name === "integer-kept-exact")?.text);
    const message = JSON.parse(text) as JsonObject;
    const signedMembers = signedOf(message) as SignedMembers;
    const exactPayload = signedMembers.payload.replace("295147905179352830000", "295147905179352825856");
    expect(text).toContain('"count":295147905179352825856');
    expect(verify(String(message.sig), digestOf(signedBytes(signedMembers)), keyA.address.main)).toBe(false);
    expect(
      verify(
        String(message.sig),
        digestOf(signedBytes({ ...signedMembers, payload: exactPayload })),
        keyA.address.main,
      ),
    ).toBe(true);
  });

  it("include an invalid one that only verifies if the y of the nonce's point is ignored", () => {
    const { valid = [], invalid = [] } =
      cases.find(({ rule, document }) => rule === "SNAP-SIG-005" && document === "envelope") ?? {};
    const { change } = invalid.find(({ name }) => name === "odd-nonce") ?? {};
    const replacement = change?.[0];
    const sig = String(replacement?.op === "replace" && replacement.value);
    const digest = digestOf(signedBytes(signedOf(valid[0]?.data as JsonObject) as SignedMembers));
    expect(verify(sig, digest, keyA.address.main)).toBe(false);
    expect(verifyIgnoringY(hexToBytes(sig), digest, hexToBytes(keyA.output))).toBe(true);
  });
});

/** Verifies by BIP-340, but without the check that y is even. */
function verifyIgnoringY(sig: Uint8Array, digest: Uint8Array, key: Uint8Array): boolean {
  const { Point, utils } = schnorr;
  const challenge = Point.Fn.create(
    bytesToNumberBE(utils.taggedHash("BIP0340/challenge", sig.subarray(0, 32), key, digest)),
  );
  const publicPoint = utils.lift_x(bytesToNumberBE(key));
  const noncePoint = Point.BASE.multiply(bytesToNumberBE(sig.subarray(32))).subtract(publicPoint.multiply(challenge));
  return noncePoint.toAffine().x === bytesToNumberBE(sig.subarray(0, 32));
}
