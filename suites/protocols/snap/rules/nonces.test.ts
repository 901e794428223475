import { schnorr } from "@noble/curves/secp256k1.js";
import { hexToBytes } from "@noble/curves/utils.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keyA, keyB, keyFrom } from "./keys.ts";
import { cheapNonce } from "./nonces.ts";
import { digestOf, sign, signCheaply, verify } from "./signature.ts";

const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });

describe("a cheap nonce", () => {
  it("has a point that is its multiple of the base point, for every digest", () => {
    const digests = [new Uint8Array(32), new Uint8Array(32).fill(255), digestOf(new Uint8Array([1]))];
    for (const digest of digests) {
      const { number, point } = cheapNonce(digest);
      expect(point.equals(schnorr.Point.BASE.multiply(number))).toBe(true);
    }
    fc.assert(
      fc.property(bytes, (digest) => {
        const { number, point } = cheapNonce(digest);
        return number > 0n && point.equals(schnorr.Point.BASE.multiply(number));
      }),
      { numRuns: 20 },
    );
  });

  it("differs if the first three bytes of the digest differ", () => {
    const numbers = [0, 1, 2].flatMap((index) =>
      Array.from({ length: 256 }, (_, byte) => cheapNonce(new Uint8Array(32).fill(byte, index, index + 1)).number),
    );
    // The digest of zeros is generated three times.
    expect(new Set(numbers).size).toBe(3 * 256 - 2);
  });
});

describe("a cheap signature", () => {
  it("verifies with an independent library, is deterministic, and differs from a signature with the nonce of BIP-340", () => {
    fc.assert(
      fc.property(bytes, (digest) => {
        for (const { tweaked, output } of [keyA, keyB]) {
          const sig = signCheaply(digest, tweaked);
          expect(schnorr.verify(hexToBytes(sig), digest, hexToBytes(output))).toBe(true);
          expect(verify(sig, digest, hexToBytes(output))).toBe(true);
          expect(signCheaply(digest, tweaked)).toBe(sig);
          expect(sign(digest, tweaked)).not.toBe(sig);
        }
      }),
      { numRuns: 10 },
    );
  });

  it("is only made with public test keys, since a guessable nonce reveals the key", () => {
    const { secret, tweaked } = keyFrom(new Uint8Array(32).fill(0x21));
    const digest = digestOf(new Uint8Array([1]));
    for (const key of [secret, tweaked]) expect(signCheaply(digest, key)).toBe(sign(digest, key));
    for (const key of [keyA.secret, keyA.tweaked]) expect(signCheaply(digest, key)).not.toBe(sign(digest, key));
  });
});
