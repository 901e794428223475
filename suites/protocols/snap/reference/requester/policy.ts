import { randomBytes } from "node:crypto";
import type { JsonObject } from "../../../../../schemas/index.ts";
import { kinds } from "../../nostr/event.ts";
import type { RequesterDecisions } from "./requester.ts";

/** The decisions that the protocol requires. */
export const rightRequesterDecisions: RequesterDecisions = {
  id: () => `req-${randomBytes(12).toString("base64url")}`,
  editRequest: (message) => message,
  signs: (message, sign) => sign(message),
  headers: (headers) => headers,
  serialize: (message) => JSON.stringify(message),
  delay: 0,
  versions: ["0.1"],
  sendsAnyway: false,
  orderEndpoints: (endpoints) => endpoints,
  pauses: [1000, 2000, 4000],
  pauseAfter({ code, retryAfter }, attempts, pauses) {
    const pause = pauses[attempts - 1];
    if (pause === undefined || code < 4000 || code === 5004 || code === 5005) return undefined;
    return code === 5002 ? (retryAfter ?? 60) * 1000 : pause;
  },

  verifies: () => true,
  acceptsUnsigned: true,
  checkedMembers: { time: true, sender: true, recipient: true },
  acceptsPlainAnswer: true,
  resumes: true,
  decoder() {
    const decoder = new TextDecoder();
    return (piece) => decoder.decode(piece, { stream: true });
  },
  trustsCard: (faults) => faults.length === 0,
  trustsEvent: (_event, card, address) => card.identity === address,
  relays: (urls) => urls,
  mergeCards: (cards) => [...new Map(cards.map((card): [unknown, JsonObject] => [card.identity, card])).values()],
  kind: (isStored) => (isStored ? kinds.stored : kinds.ephemeral),
  encryptContent: (content, encrypt) => encrypt(content),
  recipientTag: (internal) => ["p", internal],
  needsRecipient: true,
};
