import { schnorr } from "@noble/curves/secp256k1.js";
import { bytesToHex } from "@noble/curves/utils.js";
import { sha512 } from "@noble/hashes/sha2.js";
import type { JsonObject } from "../../../../schemas/index.ts";
import { canonicalOf, digestOf, order, type SignedMembers, sign, signedBytes, signedOf } from "./signature.ts";
import { spellings, spellValue } from "./spelling.ts";

/** A way to sign a digest other than the one that the protocol requires. */
export interface Mistake {
  name: string;
  /** The rule that forbids it. */
  rule: string;
  /** Completes the sentence "the signature was made …". */
  says: string;
  /** The input of BIP-340; undefined if the mistake does not apply to the message. */
  digest(members: SignedMembers, message: JsonObject): Uint8Array | undefined;
}

const encoder = new TextEncoder();

function hashText(text: string): Uint8Array {
  return digestOf(encoder.encode(text));
}

function fieldsOf(members: SignedMembers, names: readonly (keyof SignedMembers)[] = order): string[] {
  return names.map((name) => members[name]);
}

/** A mistake that signs a wrong string. */
type MistakeRow = readonly [name: string, says: string, text: (members: SignedMembers, message: JsonObject) => string];

function mistakesOf(rule: string, rows: readonly MistakeRow[]): Mistake[] {
  return rows.map(([name, says, text]) => ({
    name,
    rule,
    says,
    digest: (members, message) => hashText(text(members, message)),
  }));
}

const fieldMistakes: readonly MistakeRow[] = [
  ["pipes", "with | between the fields", (members) => fieldsOf(members).join("|")],
  ["line-feeds", "with line feeds between the fields", (members) => fieldsOf(members).join("\n")],
  ["spaces-between", "with spaces between the fields", (members) => fieldsOf(members).join(" ")],
  ["no-separators", "with nothing between the fields", (members) => fieldsOf(members).join("")],
  ["escaped-separators", "with a backslash and a digit between the fields", (members) => fieldsOf(members).join("\\0")],
  ["leading-separator", "with a zero byte before the first field", (members) => `\0${fieldsOf(members).join("\0")}`],
  ["trailing-separator", "with a zero byte after the last field", (members) => `${fieldsOf(members).join("\0")}\0`],
  ["doubled-separators", "with two zero bytes between the fields", (members) => fieldsOf(members).join("\0\0")],
  [
    "version-added",
    "with the version after the id",
    (members, { version }) => withVersion(members, version).join("\0"),
  ],
  [
    "pipes-and-version",
    "with the version after the id and | between the fields",
    (members, { version }) => withVersion(members, version).join("|"),
  ],
  ["array", "over the fields as an array", (members) => JSON.stringify(fieldsOf(members))],
  [
    "to-before-from",
    "with to before from",
    (members) => joinFields(members, "id to from type method payload timestamp"),
  ],
  [
    "method-before-type",
    "with method first",
    (members) => joinFields(members, "id from to method type payload timestamp"),
  ],
  ["payload-last", "with payload last", (members) => joinFields(members, "id from to type method timestamp payload")],
  ["without-id", "without id", (members) => joinFields(members, "from to type method payload timestamp")],
  ["without-from", "without from", (members) => joinFields(members, "id to type method payload timestamp")],
  ["without-to", "without to", (members) => joinFields(members, "id from type method payload timestamp")],
  ["without-type", "without type", (members) => joinFields(members, "id from to method payload timestamp")],
  ["without-method", "without method", (members) => joinFields(members, "id from to type payload timestamp")],
  ["without-payload", "without payload", (members) => joinFields(members, "id from to type method timestamp")],
  ["without-timestamp", "without timestamp", (members) => joinFields(members, "id from to type method payload")],
];

function withVersion(members: SignedMembers, version: unknown): string[] {
  return fieldsOf(members).toSpliced(1, 0, String(version));
}

function joinFields(members: SignedMembers, names: string): string {
  return fieldsOf(members, names.split(" ") as (keyof SignedMembers)[]).join("\0");
}

const timestampMistakes: readonly (readonly [name: string, says: string, text: (seconds: string) => string])[] = [
  ["fraction", "with a fraction in the timestamp", (seconds) => `${seconds}.0`],
  ["milliseconds", "with the timestamp in milliseconds", (seconds) => `${seconds}000`],
  ["exponent", "with an exponent in the timestamp", (seconds) => Number(seconds).toExponential()],
  ["sign", "with a sign before the timestamp", (seconds) => `+${seconds}`],
  ["padded", "with zeros before the timestamp", (seconds) => seconds.padStart(20, "0")],
  ["quoted", "with the timestamp in quotes", (seconds) => `"${seconds}"`],
  ["hexadecimal", "with the timestamp in hexadecimal", (seconds) => BigInt(seconds).toString(16)],
  ["grouped", "with commas in the timestamp", (seconds) => seconds.replace(/\B(?=(\d{3})+$)/g, ",")],
];

const hashMistakes: readonly (readonly [name: string, says: string, digest: (bytes: Uint8Array) => Uint8Array])[] = [
  ["twice", "over the digest of the digest", (text) => digestOf(digestOf(text))],
  ["tagged", "over a tagged hash", (text) => schnorr.utils.taggedHash("SNAP", text)],
  ["unhashed", "over the bytes themselves", (text) => text],
  ["hexadecimal-digest", "over the digits of the digest", (text) => encoder.encode(bytesToHex(digestOf(text)))],
  ["sha-512", "over half of a SHA-512", (text) => sha512(text).subarray(0, 32)],
];

const extensionMistakes: readonly MistakeRow[] = [
  ["whole", "over the whole message", (_, { sig: _sig, ...rest }) => canonicalOf(rest) ?? ""],
  [
    "extensions-after",
    "over the extensions too, after the timestamp",
    (members, message) => [...fieldsOf(members), canonicalOf(extensionsOf(message)) ?? ""].join("\0"),
  ],
  [
    "extensions-inside",
    "over the extensions too, inside the payload",
    (members, message) => {
      const payload = { ...(message.payload as JsonObject), ...extensionsOf(message) };
      return fieldsOf({ ...members, payload: canonicalOf(payload) ?? "" }).join("\0");
    },
  ],
];

function extensionsOf(message: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(message).filter(([name]) => name.startsWith("x-")));
}

const recipientMistakes: readonly MistakeRow[] = [
  [
    "to-dropped",
    "with no place for the absent to",
    (members) => joinFields(members, "id from type method payload timestamp"),
  ],
  ["to-null", "with null for the absent to", (members) => fieldsOf({ ...members, to: "null" }).join("\0")],
  [
    "to-undefined",
    "with undefined for the absent to",
    (members) => fieldsOf({ ...members, to: "undefined" }).join("\0"),
  ],
  ["to-none", "with None for the absent to", (members) => fieldsOf({ ...members, to: "None" }).join("\0")],
  [
    "to-sender",
    "with the sender for the absent to",
    (members) => fieldsOf({ ...members, to: members.from }).join("\0"),
  ],
];

/** The known mistakes. If two of them lead to the same digest, the first one counts. */
export const mistakes: readonly Mistake[] = [
  ...mistakesOf("SNAP-A2S-002", recipientMistakes).map(
    (mistake): Mistake => ({
      ...mistake,
      digest: (members, message) => (Object.hasOwn(message, "to") ? undefined : mistake.digest(members, message)),
    }),
  ),
  ...mistakesOf("SNAP-SIG-001", fieldMistakes),
  ...mistakesOf(
    "SNAP-SIG-002",
    Object.entries(spellings).map(([name, { says, spelling }]) => [
      name,
      `over the payload ${says}`,
      (members, { payload }) =>
        fieldsOf({ ...members, payload: spellValue(payload as JsonObject, spelling) }).join("\0"),
    ]),
  ),
  ...mistakesOf(
    "SNAP-SIG-003",
    timestampMistakes.map(([name, says, text]) => [
      name,
      says,
      (members) => fieldsOf({ ...members, timestamp: text(members.timestamp) }).join("\0"),
    ]),
  ),
  ...hashMistakes.map(
    ([name, says, digest]): Mistake => ({
      name,
      rule: "SNAP-SIG-004",
      says,
      digest: (members) => digest(signedBytes(members)),
    }),
  ),
  ...mistakesOf("SNAP-SIG-007", extensionMistakes),
];

/** Signs a message with a mistake. Throws if the mistake does not apply to the message. */
export function missignMessage(message: JsonObject, name: string, secret: Uint8Array): string {
  const members = signedOf(message);
  const digest = members && mistakes.find((mistake) => mistake.name === name)?.digest(members, message);
  if (digest === undefined) throw new Error(`the mistake ${name} cannot be made with this message`);
  return sign(digest, secret);
}
