import { schnorr } from "@noble/curves/secp256k1.js";
import { bytesToHex, hexToBytes } from "@noble/curves/utils.js";
import type { Cases, InvalidCase, JsonObject } from "../../../../schemas/index.ts";
import { a, b, c, type TestKey } from "./keys.ts";
import { between, replaced, request, response, said } from "./messages.ts";
import { digestOf, order, type Signed, sign, signedBytes, signedOf } from "./signature.ts";
import { spellings, spelt } from "./spelling.ts";

/** What somebody does in place of a step; the steps after it follow from what came out. */
interface Slip {
  payload?(message: JsonObject): string;
  bytes?(fields: Signed): Uint8Array;
  digest?(bytes: Uint8Array): Uint8Array;
  sign?(digest: Uint8Array, key: TestKey): string;
}

/** The record of signing a message, step by step. */
function record(key: TestKey, { sig: _sig, ...message }: JsonObject, slip: Slip = {}): JsonObject {
  const signed = signedOf(message) as Signed;
  const payload = slip.payload?.(message) ?? signed.payload;
  const bytes = (slip.bytes ?? signedBytes)({ ...signed, payload });
  const digest = (slip.digest ?? digestOf)(bytes);
  return {
    privateKey: bytesToHex(key.secret),
    message,
    canonicalPayload: payload,
    bytes: bytesToHex(bytes),
    digest: bytesToHex(digest),
    sig: slip.sign?.(digest, key) ?? sign(digest, key.tweaked),
  };
}

function fields(signed: Signed): string[] {
  return order.map((member) => signed[member]);
}

/** What the steps of signing are tried with. */
export function signingCases(): Cases[] {
  const asked = request("message/send", { message: said, idempotencyKey: "again-1" });
  const answered = response("tasks/get", { error: { code: 1001, message: "No bridge \u{1f309}" } });
  const plain = record(a, asked);
  const other = record(b, answered);
  /** A case in which one step went wrong. */
  const slipped = (name: string, says: string, at: string, slip: Slip): InvalidCase => {
    return { name, says, at, change: between(plain, record(a, asked, slip)) };
  };
  const joined = (name: string, says: string, join: (signed: Signed) => string): InvalidCase => {
    return slipped(name, says, "/bytes", { bytes: (signed) => new TextEncoder().encode(join(signed)) });
  };
  const both = (says: string, at: string): Cases["valid"] => [
    { name: "request", says, at, data: plain },
    { name: "response", says, at, edge: true, data: other },
  ];
  return [
    {
      rule: "SNAP-SIG-001",
      document: "signing",
      valid: both("are the seven fields", "/bytes"),
      invalid: [
        joined("bars", "have bars for zero bytes", (signed) => fields(signed).join("|")),
        joined("five-separators", "lack a field", (signed) => fields(signed).toSpliced(2, 1).join("\0")),
        joined("trailing-separator", "end in a zero byte", (signed) => `${fields(signed).join("\0")}\0`),
        joined("leading-separator", "begin with a zero byte", (signed) => `\0${fields(signed).join("\0")}`),
        joined("version", "have the version after the id", (signed) =>
          fields(signed).toSpliced(1, 0, "0.1").join("\0"),
        ),
        slipped("utf-16", "are in UTF-16", "/bytes", {
          bytes: (signed) => Buffer.from(fields(signed).join("\0"), "utf16le"),
        }),
      ],
    },
    {
      rule: "SNAP-SIG-002",
      document: "signing",
      valid: both("is the payload as RFC 8785 writes it", "/canonicalPayload"),
      invalid: ["insertion-order", "spaces"].map((name) => {
        const { says, spelling } = spellings[name] as (typeof spellings)[string];
        const payload = (message: JsonObject): string => spelt(message.payload as JsonObject, spelling);
        return slipped(name, `is written ${says}`, "/canonicalPayload", { payload });
      }),
    },
    {
      rule: "SNAP-SIG-003",
      document: "signing",
      valid: both("end in the digits of the timestamp", "/bytes"),
      invalid: [
        joined("fraction", "end in a fraction", (signed) => `${fields(signed).join("\0")}.0`),
        joined("milliseconds", "end in milliseconds", (signed) => `${fields(signed).join("\0")}000`),
        joined("empty", "end before the timestamp", (signed) => fields({ ...signed, timestamp: "" }).join("\0")),
      ],
    },
    {
      rule: "SNAP-SIG-004",
      document: "signing",
      valid: both("is the SHA-256 of the bytes", "/digest"),
      invalid: [
        slipped("twice", "was hashed twice", "/digest", { digest: (bytes) => digestOf(digestOf(bytes)) }),
        slipped("tagged", "has a tag", "/digest", { digest: (bytes) => schnorr.utils.taggedHash("SNAP", bytes) }),
        slipped("reversed", "has its bytes in reverse order", "/digest", {
          digest: (bytes) => digestOf(bytes).reverse(),
        }),
      ],
    },
    {
      rule: "SNAP-SIG-005",
      document: "signing",
      valid: both("verifies with the key in the sender's address", "/sig"),
      invalid: [
        slipped("untweaked", "was made with the internal key", "/sig", {
          sign: (digest, { secret }) => sign(digest, secret),
        }),
        slipped("over-nothing", "is over another digest", "/sig", {
          sign: (_, { tweaked }) => sign(digestOf(new Uint8Array()), tweaked),
        }),
        {
          ...replaced("foreign-key", "is not the key of the sender", "/privateKey", bytesToHex(c.secret)),
          at: "/privateKey",
        },
      ],
    },
    {
      rule: "SNAP-SIG-014",
      document: "signing",
      valid: both("is the one that 32 zero bytes of randomness give", "/sig"),
      invalid: ["01", "ff"].map((byte) => ({
        ...slipped(`randomness-${byte}`, `was made with randomness of bytes ${byte}, and verifies`, "/sig", {
          sign: (digest, { tweaked }) => bytesToHex(schnorr.sign(digest, tweaked, hexToBytes(byte.repeat(32)))),
        }),
        level: "SHOULD",
      })),
    },
  ];
}
