import { schnorr, secp256k1 } from "@noble/curves/secp256k1.js";
import { bytesToHex, bytesToNumberBE, hexToBytes, numberToBytesBE } from "@noble/curves/utils.js";
import type { Cases, Change, InvalidCase, Json, JsonObject, ValidCase } from "../../../../schemas/index.ts";
import { a, b, c } from "./keys.ts";
import { between, mistaken, noon, replaced, request, response, said } from "./messages.ts";
import { missigned, mistakes } from "./mistakes.ts";
import { digestOf, type Signed, sign, signedBytes, signedOf } from "./signature.ts";

const { Point } = schnorr;
const { Fn, Fp } = Point;

/** What the rules on signatures are tried with: right messages, and each with one known way to sign it wrongly. */
export function signatureCases(): Cases[] {
  return [fields(), payloads(), times(), digests(), keys(), ranges(), extensions()];
}

const plain = request("message/send", { message: said });

/** One invalid case for each mistake against the rule, made with the parent or, where it would not show there, with another. */
function mistakenCases(rule: string, parent: JsonObject, others: Record<string, ValidCase> = {}): InvalidCase[] {
  return mistakes
    .filter((mistake) => mistake.rule === rule)
    .map(({ name, says }) => {
      const { name: from, data = parent } = others[name] ?? {};
      const change = mistaken(data as JsonObject, name);
      return { name, says: `was made ${says}`, at: "/sig", change, ...(from === undefined ? {} : { from }) };
    });
}

function signed(name: string, says: string, data: JsonObject, edge?: true): ValidCase {
  return { name, says, at: "/sig", data, ...(edge === undefined ? {} : { edge }) };
}

function fields(): Cases {
  return {
    rule: "SNAP-SIG-001",
    document: "envelope",
    valid: [
      signed("request", "is over the seven fields of a request", plain),
      signed(
        "response",
        "is over the seven fields of a response",
        response("message/send", { error: { code: 1001, message: "No such task." } }),
      ),
      signed(
        "empty-object",
        "is over a payload with an empty object",
        request("service/call", { name: "q", arguments: {} }),
        true,
      ),
      signed("bars", "is over a payload with bars and line feeds", request("service/call", { name: "a|b\n|" }), true),
    ],
    invalid: mistakenCases("SNAP-SIG-001", plain),
  };
}

/** Members, numbers and texts on which writers of JSON differ. */
const telling: JsonObject = {
  "\u{1f309}": "bridge",
  "\uff5e": "tilde",
  anchor: null,
  Bridge: ["https://pictures.example/42", "2 < 3 & 5 > 4", "\b\t\u001f\u007f", "e\u0301 \u00e9"],
  numbers: [1e21, 0.000001, 1e-7, 333333333.3333333, -1.5, 0],
};

function payloads(): Cases {
  const message = { role: "user", parts: [{ data: telling }], messageId: "turn-1" };
  const stress = request("message/send", { message, idempotencyKey: "again-1" });
  const spelt = JSON.stringify(stress, null, 2)
    .replace("-1.5", "-15.0E-1")
    .replace('"anchor"', '"\\u0061nchor"')
    .replace("https://", "https:\\/\\/");
  const digits = signed(
    "names-of-digits",
    "is over a payload with members named by digits, which are texts like others",
    request("message/send", {
      message: { ...said, parts: [{ data: { "10": "ten", "9": "nine", "2": "two", a: true } }] },
    }),
    true,
  );
  const empty = signed(
    "empty-list",
    "is over a payload with an empty list",
    request("message/send", { message: { ...said, parts: [{ data: { spans: [] } }] } }),
    true,
  );
  const rare = request("message/send", {
    message: { ...said, parts: [{ data: { lines: "one\u2028two\u2029three", large: 1e20, zero: 0 } }] },
  });
  const counted = request("message/send", { message: { ...said, parts: [{ data: { count: 2 ** 68 } }] } });
  const exact = JSON.stringify({ ...counted, sig: missigned(counted, "all-digits", a.tweaked) }).replace(
    String(2 ** 68),
    String(2n ** 68n),
  );
  return {
    rule: "SNAP-SIG-002",
    document: "envelope",
    valid: [
      signed("telling", "is over members, numbers and texts on which writers of JSON differ", stress, true),
      signed("plain", "is over a plain payload", plain),
      digits,
      empty,
      {
        name: "spelt-otherwise",
        says: "is over the payload, however that is spelt in the text",
        at: "/sig",
        text: spelt,
      },
      {
        name: "read-otherwise",
        says: "is over a payload with a zero that has a sign, 1e20 and separators of lines",
        at: "/sig",
        edge: true,
        text: JSON.stringify(rare).replace('"zero":0', '"zero":-0.0').replace(String(1e20), "1e20"),
      },
    ],
    invalid: [
      ...mistakenCases("SNAP-SIG-002", stress, { "index-order": digits, "null-lists": empty }),
      {
        name: "integer-kept-exact",
        says: "was made over an integer of 21 digits as the text has it, where RFC 8785 has that of a double",
        at: "/sig",
        edge: true,
        text: exact,
      },
    ],
  };
}

function times(): Cases {
  return {
    rule: "SNAP-SIG-003",
    document: "envelope",
    valid: [
      signed("digits", "is over the digits of the timestamp", plain),
      signed(
        "zero",
        "is over a timestamp of one digit",
        request("message/send", { message: said }, { timestamp: 0 }),
        true,
      ),
      {
        name: "spelt-with-fraction",
        says: "is over the digits, while the text has a fraction of zero",
        at: "/timestamp",
        edge: true,
        text: JSON.stringify(plain).replace(String(noon), `${noon}.0`),
      },
    ],
    invalid: mistakenCases("SNAP-SIG-003", plain),
  };
}

function digests(): Cases {
  return {
    rule: "SNAP-SIG-004",
    document: "envelope",
    valid: [
      signed("once", "is over a plain SHA-256", plain),
      signed("leading-zeros", "is over a digest that begins with two zero bytes", numbered(39446), true),
    ],
    invalid: mistakenCases("SNAP-SIG-004", plain),
  };
}

/** The plain request under another id: chosen so that the digest, or the signature, is special. */
function numbered(id: number): JsonObject {
  return request("message/send", { message: said }, { id: `msg-${id}` });
}

function keys(): Cases {
  const digest = digestOf(signedBytes(signedOf(plain) as Signed));
  const own = String(plain.sig);
  const unlifted = Fn.create(
    bytesToNumberBE(a.secret) + bytesToNumberBE(schnorr.utils.taggedHash("TapTweak", hexToBytes(a.internal))),
  );
  const half = numberToBytesBE(Fn.neg(bytesToNumberBE(hexToBytes(own.slice(64)))), 32);
  const ecdsa = bytesToHex(secp256k1.sign(digest, a.tweaked, { prehash: false }));
  return {
    rule: "SNAP-SIG-005",
    document: "envelope",
    valid: [
      signed("odd", "is by a key whose internal point has an odd y", plain, true),
      signed(
        "even",
        "is by a key whose internal point has an even y",
        response("tasks/get", { error: { code: 1001, message: "No such task." } }),
      ),
      signed(
        "testnet",
        "is by the key of an address on testnet",
        request("message/send", { message: said }, { from: c.address.test, to: a.address.test }),
      ),
    ],
    invalid: [
      replaced("untweaked", "was made with the internal key", "/sig", sign(digest, a.secret)),
      replaced(
        "not-lifted",
        "was made with a tweaked key that was not negated first",
        "/sig",
        sign(digest, numberToBytesBE(unlifted, 32)),
      ),
      replaced("foreign", "was made with the key of the recipient", "/sig", sign(digest, b.tweaked)),
      replaced("ecdsa", "is one of ECDSA with the right key", "/sig", ecdsa),
      replaced("negated", "has the negative of its s", "/sig", own.slice(0, 64) + bytesToHex(half)),
      replaced("odd-nonce", "has an r whose point has an odd y", "/sig", withOddNonce(digest)),
      replaced("exchanged", "has its halves in exchanged order", "/sig", own.slice(64) + own.slice(0, 64)),
      replaced("reversed", "has its bytes in reverse order", "/sig", bytesToHex(hexToBytes(own).reverse())),
      replaced("zeros", "is made of zeros", "/sig", "0".repeat(128)),
      {
        ...replaced("one-digit", "has another last digit", "/sig", own.slice(0, -1) + (own.endsWith("0") ? "1" : "0")),
        edge: true,
      },
      ...afterwards(),
    ],
  };
}

/** The signature of A by BIP-340, but for the nonce, which was not negated where its point has an odd y. */
function withOddNonce(digest: Uint8Array): string {
  const isOdd = (scalar: bigint): boolean => Point.BASE.multiply(scalar).toAffine().y % 2n === 1n;
  const coordinate = (scalar: bigint): Uint8Array => numberToBytesBE(Point.BASE.multiply(scalar).toAffine().x, 32);
  const own = bytesToNumberBE(a.tweaked);
  const secret = isOdd(own) ? Fn.neg(own) : own;
  const nonce = isOdd(7n) ? 7n : Fn.neg(7n);
  const r = coordinate(nonce);
  const challenge = Fn.create(
    bytesToNumberBE(schnorr.utils.taggedHash("BIP0340/challenge", r, coordinate(secret), digest)),
  );
  return bytesToHex(r) + bytesToHex(numberToBytesBE(Fn.add(nonce, Fn.mul(challenge, secret)), 32));
}

/** What was changed after signing, member by member. */
function afterwards(): InvalidCase[] {
  const changed = (member: string, path: string, value: Json): InvalidCase => {
    const change: Change[] = [{ op: "replace", path, value }];
    return { name: `changed-${member}`, says: "was changed after signing", change };
  };
  return [
    changed("id", "/id", "msg-71"),
    changed("from", "/from", c.address.main),
    changed("to", "/to", c.address.main),
    changed("type", "/type", "event"),
    changed("method", "/method", "message/stream"),
    changed("payload", "/payload/message/parts/0/text", "Is the bridge shut?"),
    changed("timestamp", "/timestamp", noon + 1),
  ];
}

function ranges(): Cases {
  const own = String(plain.sig);
  const digits = (number: bigint): string => bytesToHex(numberToBytesBE(number, 32));
  const [r, s] = [own.slice(0, 64), own.slice(64)];
  return {
    rule: "SNAP-SIG-006",
    document: "envelope",
    valid: [
      signed("plain", "has both halves in their ranges", plain),
      signed("high-s", "has an s in the upper half of its range", numbered(114), true),
      signed("zeros-in-r", "has an r that begins with a zero byte", numbered(154), true),
      signed("zeros-in-s", "has an s that begins with a zero byte", numbered(406), true),
    ],
    invalid: [
      { ...replaced("r-at-prime", "has the field prime for its r", "/sig", digits(Fp.ORDER) + s), edge: true },
      { ...replaced("s-at-order", "has the group order for its s", "/sig", r + digits(Fn.ORDER)), edge: true },
      replaced("r-largest", "has the largest number of 32 bytes for its r", "/sig", "f".repeat(64) + s),
      replaced("s-largest", "has the largest number of 32 bytes for its s", "/sig", r + "f".repeat(64)),
      replaced("s-past-prime", "has the field prime for its s", "/sig", r + digits(Fp.ORDER)),
    ],
  };
}

function extensions(): Cases {
  const traced = { ...plain, "x-trace": "7f3a" };
  return {
    rule: "SNAP-SIG-007",
    document: "envelope",
    valid: [
      signed("traced", "is the same with an extension as without", traced, true),
      signed("without", "is the same without any extension", plain),
      signed("nested", "is the same whatever an extension holds", {
        ...plain,
        "x-trace": { hops: [1, { at: "pier" }] },
      }),
    ],
    invalid: mistakenCases("SNAP-SIG-007", traced),
    disputed: [
      {
        name: "other-version",
        says: "was changed after signing, which no signature shows",
        at: "/version",
        change: between(traced, { ...traced, version: "0.2" }),
        readings: [
          { verdict: "valid", by: ["SNAP-SIG-007"], why: "the version is not signed, so the signature still verifies" },
          { verdict: "invalid", by: ["SNAP-VER-002"], why: "who speaks 0.1 alone refuses every other version" },
        ],
      },
    ],
  };
}
