import { isObject, type JsonObject } from "../../../../../schemas/index.ts";
import { isMiswritten } from "../../rules/address.ts";
import { a } from "../../rules/keys.ts";
import { missigned } from "../../rules/mistakes.ts";
import { digestOf, sign, signedBytes, signedOf } from "../../rules/signature.ts";
import { right } from "./policy.ts";
import type { Policy } from "./requester.ts";

/** A requester that decides wrongly in one way, so that a suite can be shown to notice. */
export interface RequesterVariant {
  /** Id of the rule that it breaks. */
  rule: string;
  /** Tells it from others that break the same rule. */
  name?: string;
  /** Completes the sentence that begins with "a requester that". */
  says: string;
  policy: Partial<Policy>;
}

function mind(less: Partial<Policy["minds"]>): Partial<Policy> {
  return { minds: { ...right.minds, ...less } };
}

function signing(mistake: string): Partial<Policy> {
  return { signs: (message) => ({ ...message, sig: missigned(message, mistake, a.tweaked) }) };
}

function without(object: Record<string, string>, ...names: string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

let counted = 0;

/** Ids by the text of what was sent under them. */
const kept = new Map<string, string>();

export const requesterVariants: readonly RequesterVariant[] = [
  {
    rule: "SNAP-HTTP-001",
    name: "requester",
    says: "posts its messages as text",
    policy: { headers: (headers) => ({ ...headers, "content-type": "text/plain" }) },
  },
  {
    rule: "SNAP-HTTP-002",
    name: "requester",
    says: "names no version in a header",
    policy: { headers: (headers) => without(headers, "snap-version") },
  },
  { rule: "SNAP-ENV-003", says: "signs no requests", policy: { signs: (message) => message } },
  {
    rule: "SNAP-ENV-011",
    says: "stamps its requests with fractions of a second",
    policy: { signs: (message, sign) => ({ ...sign(message), timestamp: Number(message.timestamp) + 0.5 }) },
  },
  {
    rule: "SNAP-TIME-001",
    name: "requester",
    says: "takes the time of its own zone for that of UTC",
    policy: { asks: (message) => ({ ...message, timestamp: Number(message.timestamp) + 3600 }) },
  },
  {
    rule: "SNAP-VER-001",
    says: "writes the version of its library into its requests",
    policy: { asks: (message) => ({ ...message, version: "0.5" }) },
  },
  {
    rule: "SNAP-ADDR-006",
    name: "requester",
    says: "asks everybody from its address on the main network",
    policy: { asks: (message) => ({ ...message, from: a.address.main }) },
  },
  { rule: "SNAP-SIG-001", name: "requester", says: "puts bars between what it signs", policy: signing("pipes") },
  {
    rule: "SNAP-SIG-002",
    name: "requester",
    says: "signs its payload as it was written",
    policy: signing("insertion-order"),
  },
  ...[
    { mistake: "code-point-order", says: "signs its payload in the order of code points" },
    { mistake: "escaped-html", says: "escapes HTML in what it signs" },
    { mistake: "without-null", says: "leaves members that are null out of what it signs" },
    { mistake: "null-lists", says: "signs null for empty lists" },
  ].map(({ mistake, says }) => ({
    rule: "SNAP-SIG-002",
    name: `requester-${mistake}`,
    says,
    policy: signing(mistake),
  })),
  { rule: "SNAP-SIG-003", says: "signs its time in milliseconds", policy: signing("milliseconds") },
  { rule: "SNAP-SIG-004", name: "requester", says: "signs a tagged hash", policy: signing("tagged") },
  {
    rule: "SNAP-SIG-005",
    name: "requester",
    says: "signs with the key that was not tweaked",
    policy: {
      signs: (message) => {
        const signed = signedOf(message);
        return signed === undefined ? message : { ...message, sig: sign(digestOf(signedBytes(signed)), a.secret) };
      },
    },
  },
  {
    rule: "SNAP-REPLAY-006",
    says: "counts its ids from one to three, again and again",
    policy: {
      id() {
        counted += 1;
        return `req-${counted % 3}`;
      },
    },
  },
  {
    rule: "SNAP-REPLAY-006",
    name: "retried",
    says: "keeps the id of what it tries again",
    policy: {
      asks(message) {
        const text = JSON.stringify(message.payload);
        const id = kept.get(text) ?? String(message.id);
        kept.set(text, id);
        return { ...message, id };
      },
    },
  },
  { rule: "SNAP-VER-003", says: "sends where there is no common version", policy: { sendsAnyway: true } },
  { rule: "SNAP-SIG-010", says: "verifies no answer", policy: { verifies: () => false } },
  {
    rule: "SNAP-SIG-010",
    name: "events",
    says: "verifies no event",
    policy: { verifies: (type) => type !== "event" },
  },
  {
    rule: "SNAP-SIG-010",
    name: "refusals",
    says: "verifies no answer that refuses",
    policy: { verifies: (_type, { payload }) => !isObject(payload) || !("error" in payload) },
  },
  { rule: "SNAP-SIG-011", says: "takes no answer without a signature", policy: { takesUnsigned: false } },
  { rule: "SNAP-TIME-004", says: "looks at no time of an answer", policy: mind({ time: false }) },
  { rule: "SNAP-RCPT-006", says: "takes answers from everybody", policy: mind({ sender: false }) },
  { rule: "SNAP-RCPT-007", says: "takes answers to everybody", policy: mind({ recipient: false }) },
  {
    rule: "SNAP-HTTP-009",
    says: "begins with the last endpoint",
    policy: { orders: (endpoints) => [...endpoints].reverse() },
  },
  {
    rule: "SNAP-HTTP-009",
    name: "http",
    says: "begins with the endpoints over HTTP",
    policy: {
      orders: (endpoints) => endpoints.toSorted((one, other) => one.protocol.localeCompare(other.protocol)),
    },
  },
  {
    rule: "SNAP-HTTP-009",
    name: "protocol",
    says: "posts to every endpoint, whatever its protocol",
    policy: {
      orders: (endpoints) =>
        endpoints.map(({ url }) => ({ protocol: "http", url: url.replace(/^ws/, "http").replace(/^https:/, "http:") })),
    },
  },
  { rule: "SNAP-HTTP-010", says: "gives up at the first failure", policy: { wait: () => undefined } },
  {
    rule: "SNAP-HTTP-010",
    name: "pauses",
    says: "tries again without a pause",
    policy: {
      wait: (failure, attempts, pauses) =>
        failure.code < 4000 || failure.code === 5002 || attempts > pauses.length
          ? right.wait(failure, attempts, pauses)
          : 10,
    },
  },
  {
    rule: "SNAP-ERR-002",
    says: "tries again whatever is refused",
    policy: {
      wait: (failure, attempts, pauses) =>
        failure.code < 4000 && attempts < 3 ? 10 : right.wait(failure, attempts, pauses),
    },
  },
  {
    rule: "SNAP-HTTP-006",
    name: "requester",
    says: "comes again at once when it is told to wait",
    policy: {
      wait: (failure, attempts, pauses) =>
        failure.code === 5002 && attempts < 3 ? 10 : right.wait(failure, attempts, pauses),
    },
  },
  {
    rule: "SNAP-STREAM-004",
    name: "requester",
    says: "does not ask for a stream as one",
    policy: { headers: (headers) => without(headers, "accept") },
  },
  {
    rule: "SNAP-STREAM-004",
    name: "requester-lines",
    says: "ends a line of a stream at whatever may end one elsewhere",
    policy: {
      decoder() {
        const decode = right.decoder();
        return (piece) => decode(piece).replace(/[\u2028\u2029\u0085\v\f]/g, "\n");
      },
    },
  },
  {
    rule: "SNAP-STREAM-004",
    name: "requester-pieces",
    says: "decodes each piece of a stream by itself",
    policy: { decoder: () => (piece) => new TextDecoder("utf-8", { fatal: true }).decode(piece) },
  },
  { rule: "SNAP-STREAM-005", says: "takes nothing but a stream", policy: { takesPlainAnswer: false } },
  {
    rule: "SNAP-STREAM-007",
    name: "requester",
    says: "gives up a stream that breaks off",
    policy: { resumes: false },
  },
  { rule: "SNAP-DISC-003", says: "believes every card that is served", policy: { believes: () => true } },
  {
    rule: "SNAP-DISC-003",
    name: "key",
    says: "believes a card that anybody has signed",
    policy: { believes: (faults) => !faults.includes("signature") },
  },
  {
    rule: "SNAP-DISC-003",
    name: "signature",
    says: "looks at the key of a card, and not at its signature",
    policy: { believes: (faults) => !faults.includes("key") },
  },
  {
    rule: "SNAP-DISC-003",
    name: "checksum",
    says: "reads the key out of a card's identity without its checksum",
    policy: {
      believes: (faults, { identity }) => faults.every((fault) => fault === "key" && isMiswritten(identity)),
    },
  },
  {
    rule: "SNAP-DISC-002",
    name: "requester",
    says: "verifies a card over a text in which HTML is escaped",
    policy: { believes: (faults, card) => faults.length === 0 && !/[<>&]/.test(JSON.stringify(card)) },
  },
  {
    rule: "SNAP-DISC-002",
    name: "numbers",
    says: "verifies a card over numbers with two digits in their exponents",
    policy: { believes: (faults, card) => faults.length === 0 && !/e[-+]\d\b/.test(JSON.stringify(card)) },
  },
  {
    rule: "SNAP-DISC-004",
    name: "requester",
    says: "asks the first relay only",
    policy: { relays: (urls) => urls.slice(0, 1) },
  },
  {
    rule: "SNAP-DISC-004",
    name: "merging",
    says: "finds a card as often as there are relays",
    policy: { merges: (cards) => [...cards] },
  },
  {
    rule: "SNAP-NOSTR-003",
    name: "requester",
    says: "believes cards in anybody's events",
    policy: {
      believesEvent: () => true,
      merges: (cards) => [...new Map(cards.map((card) => [named(card), card])).values()],
    },
  },
  {
    rule: "SNAP-NOSTR-001",
    name: "requester",
    says: "has relays keep all that it sends",
    policy: { kind: () => 4339 },
  },
  {
    rule: "SNAP-NOSTR-002",
    name: "requester",
    says: "sends for everybody to read",
    policy: { envelops: (content) => content },
  },
  {
    rule: "SNAP-NOSTR-002",
    name: "requester-tag",
    says: "tags what it sends with the key of an address",
    policy: { recipientTag: () => ["p", "3f2520e87f91d97f85f7d1853f2948fdbd26539e0e59ec3d5561767e1945981e"] },
  },
  { rule: "SNAP-A2S-007", says: "sends over Nostr to whoever is there", policy: { needsRecipient: false } },
];

function named(card: JsonObject): string {
  return isObject(card) ? String(card.name) : "";
}
