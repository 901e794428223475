import { schnorr } from "@noble/curves/secp256k1.js";
import { bytesToHex, bytesToNumberBE, hexToBytes } from "@noble/curves/utils.js";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../../schemas/index.ts";
import { derivedFacts, forgeryFacts, signatureFacts, wrongFacts } from "./facts.fixture.ts";
import { keyA, keyB, keyC, keyFrom } from "./keys.ts";
import {
  digestOf,
  isSigned,
  outOfRange,
  type SignedMembers,
  sign,
  signAgain,
  signedBytes,
  signedOf,
  verifier,
  verify,
} from "./signature.ts";

const keys = { a: keyA, b: keyB };
const head = { version: "0.1", from: keyA.address.main, to: keyB.address.main, type: "request", timestamp: 1738627200 };
const helloPayload: JsonObject = { message: { messageId: "inner-001", role: "user", parts: [{ text: "hello" }] } };

/** Members and numbers that JSON serializers order and write differently. */
const trickyPayload: JsonObject = {
  message: {
    messageId: "inner-001",
    role: "user",
    parts: [
      {
        data: {
          "\u20ac": "euro",
          "\r": "cr",
          "\ufb33": "dalet",
          "1": "one",
          "\u{1f600}": "smile",
          "\u0080": "ctl",
          "\u00f6": "oe",
          num: [1e21, 1e-7, 1, 0, 333333333.3333333, -1.5],
          esc: '"\\\b\f\n\r\t\u001f\u007f/',
          nest: { b: [{ z: null, a: true }], a: false },
        },
      },
    ],
  },
};

const derivedMessages: JsonObject[] = [
  {
    ...head,
    id: "der-evt-1",
    from: keyB.address.main,
    to: keyA.address.main,
    type: "event",
    method: "message/stream",
    payload: { taskId: "task-001", progress: 0.5, message: "half" },
    timestamp: 1738627201,
  },
  {
    ...head,
    id: "der-tn-1",
    from: keyA.address.test,
    to: keyC.address.test,
    method: "message/send",
    payload: helloPayload,
  },
  { ...head, id: "der-rs-1", method: "tasks/resubscribe", payload: { taskId: "task-001" } },
  { ...head, id: "der-jcs-1", method: "message/send", payload: trickyPayload },
  { ...head, id: "der-neg-1", method: "message/send", payload: helloPayload, "x-trace": "abc" },
  { ...head, id: "der-mix-1", from: keyA.address.test, method: "message/send", payload: helloPayload },
  withoutMember("to", {
    ...head,
    id: "der-svc-1",
    method: "service/call",
    payload: { name: "query_database", arguments: { sql: "SELECT 1" } },
  }),
];

function withoutMember(member: string, { [member]: _member, ...remaining }: JsonObject): JsonObject {
  return remaining;
}

function hexDigest(message: JsonObject): string {
  return bytesToHex(digestOf(signedBytes(signedOf(message) as SignedMembers)));
}

describe("a signature", () => {
  const zeros = new Uint8Array(32);

  it.each([keyA, keyB, keyC].flatMap(({ secret, tweaked }) => [{ secret }, { secret: tweaked }]))(
    "equals the library's signature",
    ({ secret }) => {
      for (const text of ["", "a", "message"]) {
        const hash = digestOf(new TextEncoder().encode(text));
        expect(sign(hash, secret)).toBe(bytesToHex(schnorr.sign(hash, secret, zeros)));
      }
    },
  );

  it.each(
    [keyA, keyB, keyC].flatMap(
      ({ secret, internal, tweaked, output }) =>
        [
          [secret, internal],
          [tweaked, output],
        ] as const,
    ),
  )("is verified with the same results as by the library, even if the private key is known", (secret, key) => {
    const { Fn, Fp, BASE } = schnorr.Point;
    const hash = digestOf(new TextEncoder().encode(key));
    const librarySignature = bytesToHex(schnorr.sign(hash, secret, hash));
    const [r, s] = [librarySignature.slice(0, 64), librarySignature.slice(64)];
    const hex = (number: bigint): string => number.toString(16).padStart(64, "0");
    const smallPoints = [1n, 2n, 3n, 4n, 5n].map((nonce) => BASE.multiply(nonce).toAffine());
    const signatures = [
      librarySignature,
      sign(hash, secret),
      sign(digestOf(zeros), secret),
      r + hex(Fn.neg(BigInt(`0x${s}`))),
      hex(0n) + s,
      hex(Fp.ORDER) + s,
      r + hex(0n),
      r + hex(Fn.ORDER),
      s + r,
      ...smallPoints.map(({ x }) => hex(x) + s),
    ];
    const verdicts = signatures.map((sig) => verify(sig, hash, hexToBytes(key)));
    expect(verdicts).toEqual(signatures.map((sig) => schnorr.verify(hexToBytes(sig), hash, hexToBytes(key))));
    expect(verdicts.slice(0, 3)).toEqual([true, true, false]);
  });

  it("verifies only over its digest and with its key, whether its nonce is known or not", () => {
    const digests = Array.from({ length: 8 }, (_, size) => digestOf(new Uint8Array(size)));
    const [first, second] = [digests[0] as Uint8Array, digests[1] as Uint8Array];
    for (const sig of [bytesToHex(schnorr.sign(first, keyA.tweaked, second)), sign(first, keyA.tweaked)])
      for (const isKnown of [false, true])
        for (const { output } of [keyA, keyB])
          for (const digest of digests)
            expect([isKnown, verify(sig, digest, hexToBytes(output))]).toEqual([
              isKnown,
              schnorr.verify(hexToBytes(sig), digest, hexToBytes(output)),
            ]);
  });

  it("is recognized as made by `sign` only over its digest and with its key", () => {
    const [first, second] = [digestOf(zeros), digestOf(new Uint8Array(33))];
    const sig = sign(first, keyA.tweaked);
    expect(isSigned(sig, first, keyA.tweaked)).toBe(true);
    expect(isSigned(sig, second, keyA.tweaked)).toBe(false);
    expect(isSigned(sig, first, keyB.tweaked)).toBe(false);
    expect(isSigned(bytesToHex(schnorr.sign(first, keyA.tweaked, first)), first, keyA.tweaked)).toBe(false);
    for (const index of [0, 63, 64, 127]) {
      const digit = sig[index] === "0" ? "1" : "0";
      expect(isSigned(sig.slice(0, index) + digit + sig.slice(index + 1), first, keyA.tweaked)).toBe(false);
    }
  });

  it("is not recognized as made by `sign` if R has an odd y, or is another point", () => {
    const hash = digestOf(zeros);
    const sig = sign(hash, keyA.tweaked);
    const { Fn, BASE } = schnorr.Point;
    const challenge = (r: Uint8Array) =>
      bytesToNumberBE(schnorr.utils.taggedHash("BIP0340/challenge", r, hexToBytes(keyA.output), hash));
    const ySign = BASE.multiply(bytesToNumberBE(keyA.tweaked)).toAffine().y % 2n === 0n ? 1n : -1n;
    const secret = Fn.create(ySign * bytesToNumberBE(keyA.tweaked));
    const nonce = Fn.create(
      bytesToNumberBE(hexToBytes(sig.slice(64))) - challenge(hexToBytes(sig.slice(0, 64))) * secret,
    );
    const craft = (r: Uint8Array, nonce: bigint) =>
      bytesToHex(r) +
      Fn.create(nonce + challenge(r) * secret)
        .toString(16)
        .padStart(64, "0");
    expect(craft(hexToBytes(sig.slice(0, 64)), nonce)).toBe(sig);
    expect(isSigned(craft(hexToBytes(sig.slice(0, 64)), Fn.neg(nonce)), hash, keyA.tweaked)).toBe(false);
    expect(isSigned(craft(hexToBytes(keyB.output), nonce), hash, keyA.tweaked)).toBe(false);
  });

  it.each(signatureFacts)("by %s over %s is always the same, and verifies", (name, hash, sig) => {
    const { tweaked, address, output } = keys[name];
    expect(sign(hexToBytes(hash), tweaked)).toBe(sig);
    expect(verify(sig, hexToBytes(hash), address.main)).toBe(true);
    expect(verify(sig, hexToBytes(hash), hexToBytes(output))).toBe(true);
    expect(verify(sig, hexToBytes(hash), keyC.address.main)).toBe(false);
  });

  it.each(forgeryFacts)("over a digest other than %s, or by another key, does not verify", (hash, sig) => {
    expect(verify(sig, hexToBytes(hash), keyA.address.main)).toBe(false);
  });

  it("verifies over the same digests with a verifier for many digests", () => {
    const digests = [...signatureFacts.map(([, hash]) => hash), ...forgeryFacts.map(([hash]) => hash)].map(hexToBytes);
    const stranger = keyFrom(new Uint8Array(32).fill(0x0d));
    const strangerSignature = sign(digests[0] as Uint8Array, stranger.tweaked);
    const sigs = [...signatureFacts.map(([, , sig]) => sig), ...forgeryFacts.map(([, sig]) => sig), strangerSignature];
    let verifiedCount = 0;
    for (const sig of sigs.filter((candidate) => outOfRange(candidate) === undefined))
      for (const key of [keyA, keyB, keyC, stranger].map(({ output }) => hexToBytes(output))) {
        const verifiesOver = verifier(hexToBytes(sig), key);
        const expectedVerdicts = digests.map((digest) => schnorr.verify(hexToBytes(sig), digest, key));
        expect(digests.map(verifiesOver)).toEqual(expectedVerdicts);
        verifiedCount += expectedVerdicts.filter(Boolean).length;
      }
    expect(verifiedCount).toBeGreaterThan(signatureFacts.length);
  });

  it("does not verify for an invalid address", () => {
    const [, hash, sig] = signatureFacts[0] as (typeof signatureFacts)[number];
    expect(verify(sig, hexToBytes(hash), `${keyA.address.main.slice(0, -1)}q`)).toBe(false);
  });

  it("is out of range if r reaches the field prime, or s the group order", () => {
    expect(outOfRange(wrongFacts.prime as string)).toBe("r");
    expect(outOfRange(wrongFacts.order as string)).toBe("s");
    expect(outOfRange(wrongFacts.negated as string)).toBeUndefined();
  });
});

describe("a message", () => {
  it.each([
    ["msg-001", "message/send", {}, 0],
    ["msg-003", "tasks/get", { taskId: "task-001", historyLength: 10 }, 2],
    ["msg-004", "tasks/cancel", { taskId: "task-001" }, 3],
  ])("%s has the digest of the protocol's own vector", (id, method, payload, index) => {
    expect(hexDigest({ ...head, id, method, payload } as JsonObject)).toBe(signatureFacts[index]?.[1]);
  });

  it.each(derivedMessages.map((message) => ({ id: String(message.id), message })))(
    "$id has the signature that other implementations compute",
    ({ id, message }) => {
      const [hash, sig] = derivedFacts[id] as readonly [string, string];
      expect(hexDigest(message)).toBe(hash);
      expect(signAgain({ ...message, sig: "" })).toEqual({ ...message, sig });
      expect(verify(sig, hexToBytes(hash), String(message.from))).toBe(true);
    },
  );

  it("has a digest that does not depend on its version and its extensions", () => {
    const message = derivedMessages[4] as JsonObject;
    expect(hexDigest({ ...message, version: "7.7", "x-trace": null })).toBe(hexDigest(message));
  });

  it("has no digest if a signed member is missing, has a wrong type, or lacks a canonical form", () => {
    const message = derivedMessages[4] as JsonObject;
    for (const member of ["id", "from", "type", "method", "payload", "timestamp"]) {
      expect(signedOf(withoutMember(member, message))).toBeUndefined();
      expect(signedOf({ ...message, [member]: [1] })).toBeUndefined();
    }
    expect(signedOf({ ...message, timestamp: 0.5 })).toBeUndefined();
    expect(signedOf({ ...message, payload: { text: "\ud83d" } })).toBeUndefined();
  });
});

describe("signAgain", () => {
  it("does not change a message that has no signature, or whose sender is not a test key", () => {
    const message = { ...head, id: "m", method: "tasks/get", payload: {} };
    const foreignMessage = {
      ...message,
      from: "bc1p5d7rjq7g6rdk2yhzqnt9dp8wvscrplqk0zwy63lmgreu9jzyt0mqf3xvn8",
      sig: "0".repeat(128),
    };
    for (const unsignable of [
      null,
      [],
      "text",
      message,
      foreignMessage,
      { ...message, sig: 1 },
      { ...message, payload: 1, sig: "" },
    ])
      expect(signAgain(unsignable as Json)).toBe(unsignable);
  });

  it("replaces an invented signature, and nothing else", () => {
    const message = { ...head, id: "m", sig: "ab".repeat(64), method: "tasks/get", payload: {}, "x-trace": 1 };
    const signedMessage = signAgain(message) as JsonObject;
    expect({ ...signedMessage, sig: message.sig }).toEqual(message);
    expect(Object.keys(signedMessage)).toEqual(Object.keys(message));
    expect(verify(String(signedMessage.sig), hexToBytes(hexDigest(message)), keyA.address.main)).toBe(true);
    expect(signAgain(signedMessage)).toEqual(signedMessage);
  });
});
