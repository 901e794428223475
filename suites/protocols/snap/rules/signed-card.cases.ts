import { schnorr } from "@noble/curves/secp256k1.js";
import { type Cases, canonical, type InvalidCase, type JsonObject } from "../../../../schemas/index.ts";
import { plainCard } from "./card.cases.ts";
import { a, b, type TestKey } from "./keys.ts";
import { between, noon, replaced } from "./messages.ts";
import { digestOf, sign } from "./signature.ts";
import { spelt } from "./spelling.ts";

/** A card as it is served, signed over the text. */
function served(card: JsonObject, key: TestKey = b, text: string = `${canonical(card)}|${noon}`): JsonObject {
  const digest = digestOf(new TextEncoder().encode(text));
  return { card, sig: sign(digest, key.tweaked), publicKey: key.output, timestamp: noon };
}

/** What the signature of a card that is served is tried with. */
export function signedCardCases(): Cases[] {
  const plain = served(plainCard);
  const text = canonical(plainCard);
  const digest = digestOf(new TextEncoder().encode(`${text}|${noon}`));
  const sig = (name: string, says: string, value: unknown): InvalidCase => replaced(name, says, "/sig", String(value));
  const over = (name: string, says: string, input: string): InvalidCase =>
    sig(name, says, served(plainCard, b, input).sig);
  const listed: JsonObject = { ...plainCard, "x-spans": [] };
  const extended: JsonObject = { ...plainCard, name: "Br\u00fccke \u{1f309}", "x-harbour": { spans: [3, 1e21] } };
  return [
    {
      rule: "SNAP-DISC-002",
      document: "signed-card",
      valid: [
        { name: "plain", says: "is over the card, a bar and the time", at: "/sig", data: plain },
        {
          name: "extended",
          says: "is over the card with its extensions",
          at: "/sig",
          edge: true,
          data: served(extended),
        },
        {
          name: "empty-list",
          says: "is over the card with an empty list",
          at: "/sig",
          edge: true,
          data: served(listed),
        },
        {
          name: "odd",
          says: "is by a key whose internal point has an odd y",
          at: "/sig",
          edge: true,
          data: served({ ...plainCard, identity: a.address.test }, a),
        },
      ],
      invalid: [
        over("zero-byte", "has a zero byte for the bar", `${text}\0${noon}`),
        over("no-separator", "has nothing for the bar", `${text}${noon}`),
        over("without-time", "leaves out the time", text),
        over("milliseconds", "is over the time in milliseconds", `${text}|${noon}000`),
        over("time-first", "has the time before the card", `${noon}|${text}`),
        over("not-canonical", "is over the card as it was written", `${JSON.stringify(plainCard)}|${noon}`),
        {
          ...replaced(
            "without-extensions",
            "leaves out the extensions",
            "/sig",
            String(served(extended, b, `${canonical(withoutExtensions(extended))}|${noon}`).sig),
            "extended",
          ),
        },
        {
          ...replaced(
            "null-list",
            "has null for an empty list",
            "/sig",
            String(served(listed, b, `${spelt(listed, { emptyList: "null" })}|${noon}`).sig),
            "empty-list",
          ),
        },
        sig("twice", "is over the digest of the digest", sign(digestOf(digest), b.tweaked)),
        sig(
          "tagged",
          "is over a tagged hash",
          sign(schnorr.utils.taggedHash("SNAP", new TextEncoder().encode(`${text}|${noon}`)), b.tweaked),
        ),
        sig("untweaked", "was made with the internal key", sign(digest, b.secret)),
        sig("zeros", "is made of zeros", "0".repeat(128)),
        replaced("internal-key", "is the internal key", "/publicKey", b.internal),
        {
          name: "internal-key-signs",
          says: "is the internal key, which signed",
          at: "/publicKey",
          change: between(plain, { ...plain, publicKey: b.internal, sig: sign(digest, b.secret) }),
        },
        {
          name: "foreign",
          says: "belongs to another agent, who signed",
          at: "/publicKey",
          edge: true,
          change: between(plain, { ...plain, publicKey: a.output, sig: sign(digest, a.tweaked) }),
        },
        { ...replaced("later", "was changed after signing", "/timestamp", noon + 1), edge: true },
        replaced("renamed", "was changed after signing", "/card/name", "Bridge Keepers"),
        {
          name: "extension-added",
          says: "was added after signing",
          change: [{ op: "add", path: "/card/x-note", value: "" }],
        },
        replaced("identity", "was changed after signing", "/card/identity", a.address.main),
      ],
    },
  ];
}

function withoutExtensions(card: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(card).filter(([name]) => !name.startsWith("x-")));
}
