import { hexToBytes } from "@noble/curves/utils.js";
import { describe, expect, it } from "vitest";
import { keyA, keyB, keyFrom } from "../rules/keys.ts";
import { eventIn, signEvent } from "./event.ts";
import { passesFilter } from "./filter.ts";
import { conversationKey, decrypt, encrypt, paddedLength } from "./nip44.ts";

const bytesOfNumber = (value: number): Uint8Array => hexToBytes(value.toString(16).padStart(64, "0"));
const bytes = (text: string): Uint8Array => hexToBytes(text);

describe("NIP-44", () => {
  it("returns the result of the specification's example", () => {
    const key = conversationKey(bytesOfNumber(1), keyFrom(bytesOfNumber(2)).internal);
    expect(Buffer.from(key).toString("hex")).toBe("c41c775356fd92eadc63ff5a0dc1da211b268cbea22316767095b2871ea1412d");
    const payload = encrypt("a", key, bytesOfNumber(1));
    expect(payload).toBe(
      "AgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABee0G5VSK0/9YypIObAtDKfYEAjD35uVkHyB0F4DwrcNaCXlCWZKaArsGrY6M9wnuTMxWfp1RTN9Xga8no+kF5Vsb",
    );
    expect(decrypt(payload, key)).toBe("a");
  });

  it("derives the same key on both sides, and decrypts texts of every length", () => {
    const [keyOfA, keyOfB] = [conversationKey(keyA.secret, keyB.internal), conversationKey(keyB.secret, keyA.internal)];
    expect(keyOfA).toEqual(keyOfB);
    for (const length of [1, 31, 32, 33, 37, 100, 256, 257, 1000, 65_535]) {
      const text = "é".repeat(Math.floor(length / 2)) + "x".repeat(length % 2);
      expect(decrypt(encrypt(text, keyOfA), keyOfB)).toBe(text);
    }
    expect([1, 32, 33, 64, 65, 100, 257, 320, 321, 1000].map(paddedLength)).toEqual([
      32, 32, 64, 64, 96, 128, 320, 320, 384, 1024,
    ]);
  });

  it("returns undefined for a changed payload, or one for another party", () => {
    const key = conversationKey(keyA.secret, keyB.internal);
    const payload = encrypt("Is the bridge open?", key);
    const changedBytes = Buffer.from(payload, "base64");
    changedBytes[40] = (changedBytes[40] ?? 0) ^ 1;
    expect(decrypt(changedBytes.toString("base64"), key)).toBeUndefined();
    expect(decrypt(payload, conversationKey(keyA.secret, keyA.internal))).toBeUndefined();
    expect(decrypt(payload.slice(0, 40), key)).toBeUndefined();
    expect(decrypt("#not base64", key)).toBeUndefined();
    expect(() => encrypt("", key)).toThrow("0 bytes");
    expect(() => encrypt("x".repeat(65_536), key)).toThrow("65536 bytes");
  });
});

describe("an event", () => {
  const event = signEvent(keyA, { created_at: 1768478400, kind: 21339, tags: [["p", keyB.internal]], content: "x" });

  it("is refused if any part of it was changed", () => {
    const value = structuredClone(event) as never;
    expect(eventIn(value)).toEqual(event);
    for (const change of [
      { content: "y" },
      { pubkey: keyB.internal },
      { kind: 1 },
      { tags: [["p"]] },
      { sig: bytes("00").toString() },
    ])
      expect(eventIn({ ...(value as object), ...change } as never)).toBeUndefined();
  });

  it("passes a filter if it meets every condition", () => {
    expect(passesFilter({ kinds: [21339], "#p": [keyB.internal], since: 1768478400 }, event)).toBe(true);
    for (const part of [{ kinds: [1] }, { "#p": [keyA.internal] }, { since: 1768478401 }, { authors: [keyB.internal] }])
      expect(passesFilter({ kinds: [21339], ...part }, event)).toBe(false);
  });
});
