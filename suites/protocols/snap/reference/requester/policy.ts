import { randomBytes } from "node:crypto";
import type { JsonObject } from "../../../../../schemas/index.ts";
import { kinds } from "../../nostr/event.ts";
import type { RequesterDecisions } from "./requester.ts";

/** The decisions that the protocol requires. */
export const rightRequesterDecisions: RequesterDecisions = {
  id: () => `req-${randomBytes(12).toString("base64url")}`,
  asks: (message) => message,
  signs: (message, sign) => sign(message),
  headers: (headers) => headers,
  writes: (message) => JSON.stringify(message),
  delay: 0,
  versions: ["0.1"],
  sendsAnyway: false,
  orders: (endpoints) => endpoints,
  pauses: [1000, 2000, 4000],
  wait({ code, retryAfter }, attempts, pauses) {
    const pause = pauses[attempts - 1];
    if (pause === undefined || code < 4000 || code === 5004 || code === 5005) return undefined;
    return code === 5002 ? (retryAfter ?? 60) * 1000 : pause;
  },

  verifies: () => true,
  takesUnsigned: true,
  minds: { time: true, sender: true, recipient: true },
  takesPlainAnswer: true,
  resumes: true,
  decoder() {
    const decoder = new TextDecoder();
    return (piece) => decoder.decode(piece, { stream: true });
  },
  believes: (faults) => faults.length === 0,
  believesEvent: (_event, card, address) => card.identity === address,
  relays: (urls) => urls,
  merges: (cards) => [...new Map(cards.map((card): [unknown, JsonObject] => [card.identity, card])).values()],
  kind: (isStored) => (isStored ? kinds.stored : kinds.passing),
  envelops: (content, encrypt) => encrypt(content),
  recipientTag: (internal) => ["p", internal],
  needsRecipient: true,
};
