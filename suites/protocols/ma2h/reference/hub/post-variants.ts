import { isObject } from "../../../../../schemas/index.ts";
import { correctHubPolicy } from "../../../ahcp/reference/hub/policy.ts";
import { addressing } from "./addressing-variants.ts";
import { keptVariants } from "./kept-variants.ts";
import { personal } from "./person-variants.ts";
import { correctPostDecisions, publishedLimits } from "./post-decisions.ts";
import { breaks, type PostVariant } from "./post-variant.ts";
import { streaming } from "./stream-variants.ts";

const sessions: readonly PostVariant[] = [
  ...breaks("SES-001", {
    "": ["shows the lease of a session as a text", { presentSession: (shown) => ({ ...shown, ttl_seconds: "600" }) }],
  }),
  ...breaks("SES-002", {
    "": [
      "lets an agent choose the id of its session",
      { createSession: (session, { id }) => ({ ...session, id: String(id ?? session.id) }) },
    ],
    agent: [
      "believes a claim about the owner of a session",
      { createSession: (session, { agent_id: agent }) => ({ ...session, agent: String(agent ?? session.agent) }) },
    ],
  }),
  ...breaks("SES-004", { "": ["registers a session for any body", { validatesRegistration: false }] }),
  ...breaks("SES-006", {
    "": ["gives any lease that an agent requests", { leaseSeconds: (_limited, requested) => Math.max(requested, 0) }],
  }),
  ...breaks("SES-007", { "": ["lets an agent have any number of sessions", { maxLiveSessions: 1000 }] }),
  ...breaks("SES-008", {
    "": [
      "renews no lease when its session drains",
      { renewsLease: (act) => act !== "drain" && correctPostDecisions.renewsLease(act) },
    ],
    ack: [
      "renews no lease when entries are acknowledged",
      { renewsLease: (act) => act !== "ack" && correctPostDecisions.renewsLease(act) },
    ],
    submit: [
      "renews no lease at a submit",
      { renewsLease: (act) => act !== "submit" && correctPostDecisions.renewsLease(act) },
    ],
  }),
  ...breaks("SES-009", {
    "": [
      "renews a lease when its session is read",
      { renewsLease: (act) => act === "read" || correctPostDecisions.renewsLease(act) },
    ],
    bare: [
      "renews every lease of an agent that drains without a session",
      { renewsLease: (act) => act === "drain without session" || correctPostDecisions.renewsLease(act) },
    ],
  }),
  ...breaks("SES-010", {
    "": ["ends a lease before its time", { leaseEndOf: ({ expiresAt }) => expiresAt - 3000 }],
    never: ["never ends a lease", { leaseEndOf: () => Number.POSITIVE_INFINITY }],
  }),
  ...breaks("SES-011", {
    "": [
      "moves the time of a close",
      { endSession: (session, state, at) => void Object.assign(session, { state, endedAt: at }) },
    ],
  }),
  ...breaks("SES-012", {
    "": [
      "lets an expired session be closed",
      {
        endSession(session, state, at) {
          if (session.state !== "closed") Object.assign(session, { state, endedAt: session.endedAt ?? at });
        },
      },
    ],
  }),
  ...breaks("SES-013", {
    "": ["keeps ended sessions for ever", { endedSessionSeconds: Number.POSITIVE_INFINITY }],
    short: ["forgets ended sessions after an hour", { endedSessionSeconds: 3600 }],
  }),
  ...breaks("SES-014", { "": ["lets any agent use a session", { mayUseSession: () => true }] }),
  ...breaks("SES-015", {
    "": ["lists only live sessions", { mayViewSession: (isOwner, { state }) => isOwner && state === "active" }],
  }),
  ...breaks("SES-016", { "": ["shows sessions to every agent", { mayViewSession: () => true }] }),
  ...breaks("SES-024", { "": ["denies that an agent's ended session existed", { goneStatus: 404 }] }),
  ...breaks("SES-026", {
    "": ["does not say when a session was last seen", { presentSession: ({ last_seen: _, ...shown }) => shown }],
  }),
  ...breaks("SES-027", { "": ["accepts the id of a session as a credential", { mayUseSession: () => true }] }),
];

const inbox: readonly PostVariant[] = [
  ...breaks("INB-002", {
    "": [
      "lets an agent name the mailbox that it drains",
      { mailboxOwner: (principal, query) => query.get("agent") ?? query.get("agent_id") ?? principal },
    ],
  }),
  ...breaks("INB-003", {
    "": ["hides no claimed entry", { hidingMs: () => 0 }],
    forever: ["hides a claimed entry for good", { hidingMs: () => Number.POSITIVE_INFINITY }],
  }),
  ...breaks("INB-004", {
    "": ["signs an entry once", { stamp: (fresh, { key }) => ({ ...fresh, jti: `once-${key}` }) }],
  }),
  ...breaks("INB-005", { "": ["delivers acknowledged entries again", { mayAcknowledge: () => false }] }),
  ...breaks("INB-006", { "": ["lets any agent acknowledge entries", { acknowledgesForOthers: true }] }),
  ...breaks("INB-007", {
    "": [
      "delivers the latest entry first",
      { sortEntries: (entries) => correctPostDecisions.sortEntries(entries).reverse() },
    ],
  }),
  ...breaks("INB-008", { "": ["ignores the requested batch size", { batchSize: () => publishedLimits.batch }] }),
  ...breaks("INB-009", { "": ["does not hold a drain that asks to wait", { holdsDrains: false }] }),
  ...breaks("INB-010", {
    "": [
      "returns messages to a drain without a session",
      { deliversEntry: (isDeliverable, _entry, session) => isDeliverable || session === undefined },
    ],
  }),
  ...breaks("INB-011", {
    "": [
      "withholds mail that is addressed to a session",
      { deliversEntry: (isDeliverable, { session }) => isDeliverable && session === undefined },
    ],
  }),
  ...breaks("INB-012", {
    "": [
      "delivers the mail for one session to all",
      {
        deliversEntry: (isDeliverable, { kind }, session) =>
          isDeliverable || (session !== undefined && kind === "message"),
      },
    ],
  }),
  ...breaks("INB-013", { "": ["lets two sessions claim one entry", { hidingMs: () => 0 }] }),
  ...breaks("INB-014", {
    "": [
      "loses the mail that an ended session had claimed",
      {
        shouldBounce: (isDue, { mail, post }) =>
          isDue || post.sessions.get(mail.claimedBy ?? "")?.endedAt !== undefined,
      },
    ],
  }),
  ...breaks("INB-015", {
    "": [
      "lets only the claiming session acknowledge an entry",
      { mayAcknowledge: (isPresented, { mail }, session) => isPresented && mail.claimedBy === session },
    ],
  }),
  ...breaks("INB-016", {
    "": [
      "acknowledges all entries about a message with one key",
      {
        matchesKeys: (keys, { key, payload }) =>
          keys.includes(key) ||
          (payload.in_reply_to !== undefined && keys.some((acknowledgedKey) => acknowledgedKey.startsWith("rcpt_"))),
      },
    ],
  }),
  ...breaks("INB-017", { "": ["acknowledges an entry by a guessed key", { mayAcknowledge: () => true }] }),
];

const entries: readonly PostVariant[] = [
  ...breaks("ENT-002", {
    "": [
      "believes the claimed sender of a message",
      {
        presentPayload: (payload, { stored }) => ({
          ...payload,
          ...(stored?.message.from === undefined ? {} : { from: stored.message.from }),
        }),
      },
    ],
    session: [
      "forgets which session a message is from",
      {
        presentPayload: (payload) =>
          typeof payload.from === "string" ? { ...payload, from: payload.from.replace(/#.*/, "") } : payload,
      },
    ],
  }),
  ...breaks("ENT-003", {
    "": [
      "hands over the sender's state",
      {
        presentPayload: (payload, { kind, stored }) =>
          kind === "message" ? { ...payload, state: stored?.message.state ?? null } : payload,
      },
    ],
    callback: [
      "hands over the sender's callback",
      {
        presentPayload: (payload, { kind, stored }) =>
          kind === "message" && isObject(stored?.message.request)
            ? { ...payload, request: stored.message.request }
            : payload,
      },
    ],
  }),
  ...breaks("ENT-004", {
    "": ["hands over a message without its key", { presentPayload: ({ idempotency_key: _, ...payload }) => payload }],
  }),
  ...breaks("ENT-005", { "": ["delivers no outcome to the sending session", { deliversOutcome: () => false }] }),
  ...breaks("ENT-006", {
    "": [
      "delivers the outcome for an ended session to other sessions",
      { deliversOutcome: () => true, deliversEntry: (isDeliverable, { isLate }) => isDeliverable || isLate === true },
    ],
  }),
  ...breaks("ENT-007", {
    "": [
      "pushes an outcome with another id than a read shows",
      {},
      { policy: { pushBody: (envelope) => ({ ...envelope, resolution_id: `res_pushed-${envelope.in_reply_to}` }) } },
    ],
  }),
  ...breaks("ENT-009", {
    "": [
      "delivers receipts for ended sessions to every drain",
      { deliversReceipt: () => true, deliversEntry: (isDeliverable, { kind }) => isDeliverable || kind === "receipt" },
    ],
  }),
  ...breaks("ENT-008", {
    "": [
      "writes a receipt with another state than a read shows",
      { changeReceipt: (payload) => ({ ...payload, prior: payload.prior === "queued" ? "delivered" : "queued" }) },
    ],
    session: [
      "names the sender's session in a receipt",
      { changeReceipt: (payload) => ({ ...payload, session: String(payload.to).replace(/^.*#/, "") }) },
    ],
  }),
  ...breaks("TRK-002", {
    "": ["shows no time of delivery", { presentTrack: ({ delivered_at: _, ...track }) => track }],
    hidden: ["shows no track", { presentTrack: () => undefined }],
  }),
  ...breaks("TRK-003", {
    "": [
      "marks mail as delivered before it is drained",
      {
        presentTrack: (track) =>
          track.state === "queued" ? { ...track, state: "delivered", delivered_at: new Date().toISOString() } : track,
      },
    ],
  }),
  ...breaks("TRK-004", {
    "": [
      "bounces mail past its deadline",
      { stateAtDeadline: ({ state }) => (state === "queued" ? "bounced" : state) },
    ],
  }),
  ...breaks("TRK-005", { "": ["lets drained mail expire", { stateAtDeadline: () => "expired" }] }),
  ...breaks("TRK-011", {
    "": ["does not show the state of mail before it bounced", { presentTrack: ({ prior: _, ...track }) => track }],
  }),
];

const bouncing: readonly PostVariant[] = [
  ...breaks("BNC-001", {
    "": [
      "keeps mail of an ended session queued",
      { shouldBounce: (isDue, { mail }) => isDue && mail.state !== "queued" },
    ],
  }),
  ...breaks("BNC-002", {
    "": [
      "leaves drained mail of an ended session as it is",
      { shouldBounce: (isDue, { mail }) => isDue && mail.state !== "delivered" },
    ],
  }),
  ...breaks("BNC-003", {
    "": ["bounces acknowledged mail", { isFinal: ({ state }) => state === "bounced" || state === "expired" }],
  }),
  ...breaks("BNC-004", {
    "": [
      "bounces nothing when a lease runs out",
      {
        shouldBounce: (isDue, { addressee, post }) =>
          isDue && post.sessions.get(addressee.session ?? "")?.state === "closed",
      },
    ],
  }),
  ...breaks("BNC-005", {
    "": [
      "bounces mail for an agent with the session that claimed it",
      {
        shouldBounce: (isDue, { mail, post }) =>
          isDue || post.sessions.get(mail.claimedBy ?? "")?.endedAt !== undefined,
      },
    ],
  }),
  ...breaks("BNC-006", {
    "": [
      "names the agent as the actor of an undeliverable message",
      { changeEnding: (outcome, { agent }) => ({ ...outcome, actor: `agent:${agent}` }) },
    ],
    task: [
      "cancels a task that could not be delivered",
      { changeEnding: (outcome) => ({ ...outcome, resolution: "cancelled" }) },
    ],
  }),
  ...breaks("BNC-007", {
    "": [
      "cancels an answered ask that bounces",
      { endsWithBounce: () => true, changeEnding: (outcome) => outcome },
      { policy: { mayEndAgain: () => true } },
    ],
  }),
  ...breaks("BNC-008", {
    "": ["lets no mail expire before its session ends", { deadlineCountsFirst: () => false }],
  }),
  ...breaks("BNC-009", {
    "": [
      "does not push the outcome of an undeliverable message",
      {},
      {
        policy: {
          callbackOf: (entry, hub) =>
            JSON.stringify(entry.envelope ?? {}).includes("system:undeliverable")
              ? undefined
              : correctHubPolicy.callbackOf(entry, hub),
        },
      },
    ],
  }),
  ...breaks("BNC-012", {
    "": ["withdraws an outcome when its session ends", { withdrawsOutcomes: true }],
  }),
  ...breaks("BNC-011", {
    "": ["delivers no receipt", { deliversEntry: (isDeliverable, { kind }) => isDeliverable && kind !== "receipt" }],
  }),
];

/** Hubs that each break one rule about sessions or mailboxes. */
export const postVariants: readonly PostVariant[] = [
  ...sessions,
  ...inbox,
  ...entries,
  ...bouncing,
  ...addressing,
  ...personal,
  ...streaming,
  ...keptVariants,
];
