import type { Cases, DisputedCase, InvalidCase, Json, JsonObject, Reading } from "../../../../schemas/index.ts";
import {
  callbackUrl,
  edKey,
  hmacKey,
  now,
  pulled,
  pushed,
  replace,
  secret,
  stamp,
  verificationKey,
} from "./deliveries.ts";
import { dp001 } from "./fixtures.ts";
import { answered, completed, fallenBack, response } from "./responses.ts";
import { header, type SigningKey, sign, signatureOf, signedContext } from "./signature.ts";

const plain: JsonObject = { ...answered("rye", { comment: "Before six." }), state: { sealed: "k1.cXV4", step: 2 } };
const { t, jti } = stamp;
const context = signedContext(plain, callbackUrl, stamp);
const v1 = signatureOf(context, hmacKey);
const wrongKey: SigningKey = { alg: "hmac-sha256", secret: `${secret}0` };

function headed(name: string, says: string, value: string, from?: string): InvalidCase {
  return { name, says, change: [replace("/signature", value)], ...(from === undefined ? {} : { from }) };
}

/** Readable, and not in the one form that is shown. */
function open(name: string, says: string, value: string, strict: string): DisputedCase {
  const readings: Reading[] = [
    { verdict: "valid", by: ["position"], why: "the specification gives an example of the form and no grammar" },
    { verdict: "invalid", by: ["specification §9.2"], why: strict },
  ];
  return { ...headed(name, says, value), readings };
}

const oneForm = "the header has one form, and this is another";

export const verifiedCases: Cases[] = [
  {
    rule: "AHCP-SIG-011",
    document: "delivery",
    valid: [
      { name: "hmac", says: "is the hub's, by HMAC-SHA256", at: "/signature", data: pushed(plain) },
      { name: "ed25519", says: "is the hub's, by Ed25519", at: "/signature", data: pushed(plain, { key: edKey }) },
      {
        name: "url-alphabet",
        says: "has a hyphen and an underscore, as base64url does",
        at: "/signature",
        edge: true,
        data: pushed(dp001.response, {
          ...{ key: dp001.key, url: dp001.url },
          stamp: { ...dp001.stamp, jti: "jti_b64url_0006" },
        }),
      },
      {
        name: "dp-001-ed25519",
        says: "is the protocol's own example with the first key of RFC 8032",
        at: "/signature",
        data: pushed(dp001.response, {
          ...{ stamp: dp001.stamp, url: dp001.url },
          key: { alg: "ed25519", seed: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60" },
        }),
      },
      {
        name: "key-beyond-ascii",
        says: "is made with a secret of letters beyond ASCII",
        at: "/signature",
        edge: true,
        data: pushed(plain, { key: { alg: "hmac-sha256", secret: "br\u00f6tchen-\u{1f950}" } }),
      },
    ],
    invalid: [
      { name: "no-header", says: "has no signature", at: "", change: [{ op: "remove", path: "/signature" }] },
      headed("empty-header", "is empty", ""),
      headed("bare", "is the signature alone, without time and nonce", v1),
      headed("no-nonce", "has no nonce", `t=${t},v1=${v1}`),
      headed("no-time", "has no time", `jti=${jti},v1=${v1}`),
      headed("no-v1", "has no v1", `t=${t},jti=${jti}`),
      headed("empty-v1", "has an empty v1", header(stamp, "")),
      headed("v0-only", "has a v0 instead of a v1", `t=${t},jti=${jti},v0=${v1}`),
      headed("header-name-inside", "begins with the name of the header", `AHCP-Signature: ${header(stamp, v1)}`),
      headed("cut", "is one character short", header(stamp, v1.slice(0, -1))),
      headed(
        "one-letter-changed",
        "has another first letter",
        header(stamp, `${v1[0] === "A" ? "B" : "A"}${v1.slice(1)}`),
      ),
      headed("in-hex", "is hexadecimal", header(stamp, Buffer.from(v1, "base64url").toString("hex"))),
      headed("zeros", "is all zeros", header(stamp, "A".repeat(43))),
      headed("other-secret", "is made with another secret", sign(plain, callbackUrl, stamp, wrongKey)),
      headed("time-changed", "states another time than was signed", header({ t: String(now + 1), jti }, v1)),
      headed("nonce-changed", "states another nonce than was signed", header({ t, jti: "jti_5bq0Zv" }, v1)),
      headed("time-in-words", "states the time as a date", header({ t: "2026-03-02T04:21:40Z", jti }, v1)),
      headed(
        "time-with-exponent",
        "states the time with an exponent, signed as it is",
        sign(plain, callbackUrl, { t: "17724253e2", jti }, hmacKey),
      ),
      {
        name: "other-resolution",
        says: "is another outcome than was signed",
        change: [replace("/body/resolution", "declined")],
      },
      headed(
        "other-private-key",
        "is made with another private key",
        sign(plain, callbackUrl, stamp, { alg: "ed25519", seed: "ff".repeat(32) }),
        "ed25519",
      ),
      headed(
        "public-key-as-secret",
        "is an HMAC with the public key as secret",
        sign(plain, callbackUrl, stamp, { alg: "hmac-sha256", secret: String(verificationKey(edKey).public_key) }),
        "ed25519",
      ),
      { ...headed("time-twice", "gives the time twice", `t=${now - 60},${header(stamp, v1)}`), level: "SHOULD" },
      { ...headed("v1-twice", "gives v1 twice", `t=${t},jti=${jti},v1=${"A".repeat(43)},v1=${v1}`), level: "SHOULD" },
    ],
    disputed: [
      open("other-order", "has its parts in another order", `v1=${v1},jti=${jti},t=${t}`, oneForm),
      open("spaces", "has a space after each comma", `t=${t}, jti=${jti}, v1=${v1}`, oneForm),
      open("unknown-part", "has a part that nobody knows", `${header(stamp, v1)},v2=x`, oneForm),
      open("padded", "is padded", header(stamp, `${v1}=`), "base64url is written without padding here"),
      open(
        "idle-bits",
        "has bits in its last character that belong to no byte",
        header(stamp, `${v1.slice(0, -1)}${next(v1.at(-1))}`),
        "there is one spelling of these bytes",
      ),
      {
        name: "standard-alphabet",
        from: "url-alphabet",
        says: "is written in the standard alphabet of base64",
        change: [replace("/signature", standard("jti_b64url_0006"))],
        readings: [
          { verdict: "valid", by: ["position"], why: "many decoders read both alphabets" },
          { verdict: "invalid", by: ["specification §9.2"], why: "the signature is base64url" },
        ],
      },
      {
        name: "task-without-response",
        from: "hmac",
        says: "is a task's outcome that does not tell when it was",
        at: "/body",
        change: unresolved(),
        readings: [
          {
            verdict: "valid",
            by: ["specification §6"],
            why: "a task needs no response, and its push is signed all the same",
          },
          { verdict: "invalid", by: ["specification §9.2"], why: "the time that is signed is in no place of the body" },
        ],
      },
    ],
  },
  {
    rule: "AHCP-GET-014",
    document: "delivery",
    valid: [
      { name: "read", says: "was read from the hub, and needs no signature", data: pulled(plain) },
      { name: "read-default", says: "was read from the hub", data: pulled(fallenBack("rye")), edge: true },
      { name: "read-bare", says: "was read from the hub, without a response", data: pulled(response("completed")) },
    ],
    invalid: [],
  },
];

/** The next character of the alphabet: in the last place it differs in bits that are not used. */
function next(character = "A"): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return alphabet[alphabet.indexOf(character) ^ 1] as string;
}

function standard(nonce: string): string {
  const made = { ...dp001.stamp, jti: nonce };
  const bytes = signatureOf(signedContext(dp001.response, dp001.url, made), dp001.key);
  return header(made, bytes.replaceAll("-", "+").replaceAll("_", "/"));
}

function unresolved(): InvalidCase["change"] & object {
  const { response: _, ...envelope } = completed;
  const record = pushed(envelope);
  return ["body", "signature", "signed"].map((name) => replace(`/${name}`, record[name] as Json));
}
