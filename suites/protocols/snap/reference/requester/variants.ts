import { isObject, type JsonObject } from "../../../../../schemas/index.ts";
import { isMiswritten } from "../../rules/address.ts";
import { keyA } from "../../rules/keys.ts";
import { missignMessage } from "../../rules/mistakes.ts";
import { digestOf, sign, signedBytes, signedOf } from "../../rules/signature.ts";
import { rightRequesterDecisions } from "./policy.ts";
import type { Requester, RequesterDecisions } from "./requester.ts";
import { breaks, type RequesterVariant } from "./variant.ts";

/** Does not check some members of an answer. */
function ignoreChecks(ignoredChecks: Partial<RequesterDecisions["checkedMembers"]>): Partial<RequesterDecisions> {
  return { checkedMembers: { ...rightRequesterDecisions.checkedMembers, ...ignoredChecks } };
}

/** Signs all requests with a mistake. */
function signWithMistake(mistake: string): Partial<RequesterDecisions> {
  return { signs: (message) => ({ ...message, sig: missignMessage(message, mistake, keyA.tweaked) }) };
}

function withoutMembers(object: Record<string, string>, ...names: string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** The number of ids that each requester has used. */
const requestCounts = new WeakMap<Requester, number>();

/** For each requester, the first id that it used for a payload, by the payload as JSON. */
const idsByPayload = new WeakMap<Requester, Map<string, string>>();

function nameOfCard(card: JsonObject): string {
  return isObject(card) ? String(card.name) : "";
}

/** Requesters that break one rule each. */
export const requesterVariants: readonly RequesterVariant[] = [
  ...breaks("SNAP-A2S-007", {
    "": ["sends over Nostr to every listener", { needsRecipient: false }],
  }),
  ...breaks("SNAP-ADDR-006", {
    requester: [
      "sends all requests from its address on the main network",
      { editRequest: (message) => ({ ...message, from: keyA.address.main }) },
    ],
  }),
  ...breaks("SNAP-DISC-002", {
    requester: [
      "escapes HTML in the text over which it verifies a card",
      { trustsCard: (faults, card) => faults.length === 0 && !/[<>&]/.test(JSON.stringify(card)) },
    ],
    numbers: [
      "verifies a card over numbers with two digits in their exponents",
      { trustsCard: (faults, card) => faults.length === 0 && !/e[-+]\d\b/.test(JSON.stringify(card)) },
    ],
  }),
  ...breaks("SNAP-DISC-003", {
    "": ["accepts every served card", { trustsCard: () => true }],
    key: ["accepts a card with any party's signature", { trustsCard: (faults) => !faults.includes("signature") }],
    signature: [
      "checks only the key of a card, and not its signature",
      { trustsCard: (faults) => !faults.includes("key") },
    ],
    checksum: [
      "reads the key of a card's identity without its checksum",
      {
        trustsCard: (faults, { identity }) => faults.every((fault) => fault === "key" && isMiswritten(identity)),
      },
    ],
  }),
  ...breaks("SNAP-DISC-004", {
    requester: ["asks the first relay only", { relays: (urls) => urls.slice(0, 1) }],
    merging: ["lists a card once per relay", { mergeCards: (cards) => [...cards] }],
  }),
  ...breaks("SNAP-ENV-003", {
    "": ["signs no requests", { signs: (message) => message }],
  }),
  ...breaks("SNAP-ENV-011", {
    "": [
      "stamps its requests with fractions of a second",
      { signs: (message, sign) => ({ ...sign(message), timestamp: Number(message.timestamp) + 0.5 }) },
    ],
  }),
  ...breaks("SNAP-ERR-002", {
    "": [
      "tries again after every refusal",
      {
        pauseAfter: (failure, attempts, pauses) =>
          failure.code < 4000 && attempts < 3 ? 10 : rightRequesterDecisions.pauseAfter(failure, attempts, pauses),
      },
    ],
  }),
  ...breaks("SNAP-HTTP-001", {
    requester: ["posts its messages as text", { headers: (headers) => ({ ...headers, "content-type": "text/plain" }) }],
  }),
  ...breaks("SNAP-HTTP-002", {
    requester: ["omits the version header", { headers: (headers) => withoutMembers(headers, "snap-version") }],
  }),
  ...breaks("SNAP-HTTP-006", {
    requester: [
      "tries again at once when it should wait",
      {
        pauseAfter: (failure, attempts, pauses) =>
          failure.code === 5002 && attempts < 3 ? 10 : rightRequesterDecisions.pauseAfter(failure, attempts, pauses),
      },
    ],
  }),
  ...breaks("SNAP-HTTP-009", {
    "": ["begins with the last endpoint", { orderEndpoints: (endpoints) => [...endpoints].reverse() }],
    http: [
      "begins with the endpoints over HTTP",
      {
        orderEndpoints: (endpoints) => endpoints.toSorted((left, right) => left.protocol.localeCompare(right.protocol)),
      },
    ],
    protocol: [
      "posts to every endpoint, regardless of its protocol",
      {
        orderEndpoints: (endpoints) =>
          endpoints.map(({ url }) => ({
            protocol: "http",
            url: url.replace(/^ws/, "http").replace(/^https:/, "http:"),
          })),
      },
    ],
  }),
  ...breaks("SNAP-HTTP-010", {
    "": ["gives up at the first failure", { pauseAfter: () => undefined }],
    pauses: [
      "tries again without a pause",
      {
        pauseAfter: (failure, attempts, pauses) =>
          failure.code < 4000 || failure.code === 5002 || attempts > pauses.length
            ? rightRequesterDecisions.pauseAfter(failure, attempts, pauses)
            : 10,
      },
    ],
  }),
  ...breaks("SNAP-NOSTR-001", {
    requester: ["makes relays store all its messages", { kind: () => 4339 }],
  }),
  ...breaks("SNAP-NOSTR-002", {
    requester: ["sends without encryption", { encryptContent: (content) => content }],
    "requester-tag": [
      "tags its messages with the key of an address",
      { recipientTag: () => ["p", "3f2520e87f91d97f85f7d1853f2948fdbd26539e0e59ec3d5561767e1945981e"] },
    ],
  }),
  ...breaks("SNAP-NOSTR-003", {
    requester: [
      "accepts cards in any party's events",
      {
        trustsEvent: () => true,
        mergeCards: (cards) => [...new Map(cards.map((card) => [nameOfCard(card), card])).values()],
      },
    ],
  }),
  ...breaks("SNAP-RCPT-006", {
    "": ["accepts answers from every sender", ignoreChecks({ sender: false })],
  }),
  ...breaks("SNAP-RCPT-007", {
    "": ["accepts answers to every recipient", ignoreChecks({ recipient: false })],
  }),
  ...breaks("SNAP-REPLAY-006", {
    "": [
      "counts its ids from one to three, again and again",
      {
        id(requester) {
          const count = (requestCounts.get(requester) ?? 0) + 1;
          requestCounts.set(requester, count);
          return `req-${count % 3}`;
        },
      },
    ],
    retried: [
      "keeps the id of a repeated message",
      {
        editRequest(message, requester) {
          const payloadText = JSON.stringify(message.payload);
          const ids = idsByPayload.get(requester) ?? new Map<string, string>();
          idsByPayload.set(requester, ids);
          const id = ids.get(payloadText) ?? String(message.id);
          ids.set(payloadText, id);
          return { ...message, id };
        },
      },
    ],
  }),
  ...breaks("SNAP-SIG-001", {
    requester: ["puts bars between the signed fields", signWithMistake("pipes")],
  }),
  ...breaks("SNAP-SIG-002", {
    requester: ["signs its payload as written", signWithMistake("insertion-order")],
    "requester-code-point-order": [
      "signs its payload in the order of code points",
      signWithMistake("code-point-order"),
    ],
    "requester-escaped-html": ["escapes HTML in the signed text", signWithMistake("escaped-html")],
    "requester-without-null": ["omits null members in the signed text", signWithMistake("without-null")],
    "requester-null-lists": ["signs null for empty lists", signWithMistake("null-lists")],
  }),
  ...breaks("SNAP-SIG-003", {
    requester: ["signs its time in milliseconds", signWithMistake("milliseconds")],
  }),
  ...breaks("SNAP-SIG-004", {
    requester: ["signs a tagged hash", signWithMistake("tagged")],
  }),
  ...breaks("SNAP-SIG-005", {
    requester: [
      "signs with the untweaked key",
      {
        signs: (message) => {
          const signedMembers = signedOf(message);
          return signedMembers === undefined
            ? message
            : { ...message, sig: sign(digestOf(signedBytes(signedMembers)), keyA.secret) };
        },
      },
    ],
  }),
  ...breaks("SNAP-SIG-010", {
    "": ["does not verify answers", { verifies: () => false }],
    events: ["verifies no event", { verifies: (type) => type !== "event" }],
    refusals: [
      "does not verify answers that refuse",
      { verifies: (_type, { payload }) => !isObject(payload) || !("error" in payload) },
    ],
  }),
  ...breaks("SNAP-SIG-011", {
    "": ["refuses answers without a signature", { acceptsUnsigned: false }],
  }),
  ...breaks("SNAP-STREAM-004", {
    requester: ["does not request a stream as one", { headers: (headers) => withoutMembers(headers, "accept") }],
    "requester-lines": [
      "ends a line of a stream at every Unicode line terminator",
      {
        decoder() {
          const decode = rightRequesterDecisions.decoder();
          return (piece) => decode(piece).replace(/[\u2028\u2029\u0085\v\f]/g, "\n");
        },
      },
    ],
    "requester-pieces": [
      "decodes each piece of a stream separately",
      { decoder: () => (piece) => new TextDecoder("utf-8", { fatal: true }).decode(piece) },
    ],
  }),
  ...breaks("SNAP-STREAM-005", {
    "": ["accepts only a stream", { acceptsPlainAnswer: false }],
  }),
  ...breaks("SNAP-STREAM-007", {
    requester: ["gives up a broken stream", { resumes: false }],
  }),
  ...breaks("SNAP-TIME-001", {
    requester: [
      "reads the time of its own zone as UTC",
      { editRequest: (message) => ({ ...message, timestamp: Number(message.timestamp) + 3600 }) },
    ],
  }),
  ...breaks("SNAP-TIME-004", {
    "": ["ignores the timestamps of answers", ignoreChecks({ time: false })],
  }),
  ...breaks("SNAP-VER-001", {
    "": [
      "writes the version of its library into its requests",
      { editRequest: (message) => ({ ...message, version: "0.5" }) },
    ],
  }),
  ...breaks("SNAP-VER-003", {
    "": ["sends without a common version", { sendsAnyway: true }],
  }),
];
