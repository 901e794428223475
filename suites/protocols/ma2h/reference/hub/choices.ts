import { isObject, type LiveChoice } from "../../../../../schemas/index.ts";
import { isOver } from "./decisions.ts";
import { type PostDecisions, rightPost } from "./post-decisions.ts";

/** A freedom that AHCP does not have, and the decisions that it replaces. */
export interface PostChoice extends LiveChoice {
  post: Partial<PostDecisions>;
}

function freedom(name: string, freedoms: readonly string[], says: string, post: Partial<PostDecisions>): PostChoice {
  return { name, kind: "freedom", freedoms, says, post };
}

export const postChoices: readonly PostChoice[] = [
  freedom("lets-no-agents-write", [], "does not let agents write to each other", { offersMail: false }),
  freedom("other-session-code", ["foreign-session-code"], "refuses a foreign session with a code of its own", {
    refuses(refusal, { own, sender }) {
      const { error } = isObject(refusal?.body) ? refusal.body : {};
      const isForeign = isObject(error) && error.code === "invalid_field" && own?.agent !== sender;
      if (refusal === undefined || !isForeign) return refusal;
      return { ...refusal, body: { error: { code: "unknown_session", message: "there is no such session" } } };
    },
  }),
  freedom("refuses-odd-batches", ["drain-range"], "refuses odd numbers of entries", { refusesOddBatch: true }),
  freedom("counts-all-keys", ["acked-count"], "counts all keys of an acknowledgment", { counts: (_, named) => named }),
  freedom("resolve-renews-nothing", ["resolve-renews"], "renews no lease at a resolve", {
    renews: (act) => act !== "resolve" && rightPost.renews(act),
  }),
  freedom("lives-at-its-end", ["renewal-from-now"], "lets a session live at the instant of its end", {
    lapses: ({ expiresAt }) => expiresAt + 1,
  }),
  freedom("closes-silently", ["close-answer"], "answers a close without the session", { showsClosed: false }),
  freedom("sees-every-request", ["presence-evidence"], "sees an agent in each request about its mailbox", {
    sees: (act) => act === "request" || rightPost.sees(act),
  }),
  freedom("drops-ended-entries", ["ended-entry"], "drops the entry of a message that has ended", {
    isLate: (isPast, { kind, stored }) =>
      isPast ||
      (kind === "message" && stored !== undefined && stored.message.type !== "notify" && isOver(stored.status)),
  }),
  freedom("fills-entries-in", ["filled-in-entry"], "fills defaults into the entries of messages", {
    hands: (payload, { kind }) => (kind === "message" ? { priority: "normal", ...payload } : payload),
  }),
  freedom("wraps-webhooks", ["webhook-body"], "sends an object with directive and signature to a webhook", {
    webhookBody: (payload, signature) => ({ directive: payload, signature }),
  }),
  freedom("shows-remarks", ["mailbox-remarks"], "shows the sender a remark of the addressee", {
    tracks: (track) => (track.state === "acknowledged" ? { ...track, note: "seen" } : track),
  }),
  freedom("refused-messages-renew", ["refused-renewal"], "renews a lease at a refused message", {
    renewsRefused: true,
  }),
];
