import { isObject, type LiveChoice } from "../../../../../schemas/index.ts";
import { isOver } from "./decisions.ts";
import { correctPostDecisions, type PostDecisions } from "./post-decisions.ts";

/** A choice that only an MA2H hub has, with the decisions that it overrides. */
export interface PostChoice extends LiveChoice {
  post: Partial<PostDecisions>;
}

function freedom(name: string, freedoms: readonly string[], says: string, post: Partial<PostDecisions>): PostChoice {
  return { name, kind: "freedom", freedoms, says, post };
}

export const postChoices: readonly PostChoice[] = [
  {
    ...freedom("lets-no-agents-write", [], "does not let agents write to each other", { offersMail: false }),
    // In a stream, only messages from agents have a title.
    moots: ["breaks-MA2H-STR-001-title"],
  },
  freedom("other-session-code", ["foreign-session-code"], "refuses a foreign session with its own error code", {
    refuseDestination(refusal, { own, sender }) {
      const { error } = isObject(refusal?.body) ? refusal.body : {};
      const isForeign = isObject(error) && error.code === "invalid_field" && own?.agent !== sender;
      if (refusal === undefined || !isForeign) return refusal;
      return { ...refusal, body: { error: { code: "unknown_session", message: "there is no such session" } } };
    },
  }),
  freedom("refuses-odd-batches", ["drain-range"], "refuses odd numbers of entries", { refusesOddBatches: true }),
  freedom("counts-all-keys", ["acked-count"], "counts all keys of an acknowledgment", {
    acknowledgedCount: (_, named) => named,
  }),
  freedom("resolve-renews-nothing", ["resolve-renews"], "does not renew a lease at a resolve", {
    renewsLease: (act) => act !== "resolve" && correctPostDecisions.renewsLease(act),
  }),
  freedom("lives-at-its-end", ["renewal-from-now"], "keeps a session alive at the very instant that its lease ends", {
    leaseEndOf: ({ expiresAt }) => expiresAt + 1,
  }),
  freedom("closes-silently", ["close-answer"], "answers a close without the session", { returnsClosedSession: false }),
  freedom("sees-every-request", ["presence-evidence"], "counts an agent as seen at each request about its mailbox", {
    countsAsSeen: (act) => act === "request" || correctPostDecisions.countsAsSeen(act),
  }),
  freedom("drops-ended-entries", ["ended-entry"], "drops the entry of a message that has ended", {
    isLate: (isPast, { kind, stored }) =>
      isPast ||
      (kind === "message" && stored !== undefined && stored.message.type !== "notify" && isOver(stored.status)),
  }),
  freedom("fills-entries-in", ["filled-in-entry"], "fills defaults into the entries of messages", {
    presentPayload: (payload, { kind }) => (kind === "message" ? { priority: "normal", ...payload } : payload),
  }),
  freedom("wraps-webhooks", ["webhook-body"], "sends an object with directive and signature to a webhook", {
    webhookBody: (payload, signature) => ({ directive: payload, signature }),
  }),
  freedom("shows-remarks", ["mailbox-remarks"], "shows the sender a remark of the addressee", {
    presentTrack: (track) => (track.state === "acknowledged" ? { ...track, note: "seen" } : track),
  }),
  freedom("refused-messages-renew", ["refused-renewal"], "renews a lease at a refused message", {
    renewsForRefused: true,
  }),
];
