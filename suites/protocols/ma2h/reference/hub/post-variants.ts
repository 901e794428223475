import { isObject } from "../../../../../schemas/index.ts";
import { rightHubPolicy } from "../../../ahcp/reference/hub/policy.ts";
import { addressing } from "./addressing-variants.ts";
import { keptVariants } from "./kept-variants.ts";
import { personal } from "./person-variants.ts";
import { published, rightPost } from "./post-decisions.ts";
import { breaks, type PostVariant } from "./post-variant.ts";
import { streaming } from "./stream-variants.ts";

const sessions: readonly PostVariant[] = [
  ...breaks("SES-001", {
    "": ["shows the lease of a session as a text", { shows: (shown) => ({ ...shown, ttl_seconds: "600" }) }],
  }),
  ...breaks("SES-002", {
    "": [
      "lets an agent choose the id of its session",
      { registers: (session, { id }) => ({ ...session, id: String(id ?? session.id) }) },
    ],
    agent: [
      "believes a claim about the owner of a session",
      { registers: (session, { agent_id: agent }) => ({ ...session, agent: String(agent ?? session.agent) }) },
    ],
  }),
  ...breaks("SES-004", { "": ["registers whatever it is sent", { readsRegistration: false }] }),
  ...breaks("SES-006", {
    "": ["gives any lease that is asked for", { lease: (_within, asked) => Math.max(asked, 0) }],
  }),
  ...breaks("SES-007", { "": ["lets an agent have any number of sessions", { mostLive: 1000 }] }),
  ...breaks("SES-008", {
    "": ["renews no lease when its session drains", { renews: (act) => act !== "drain" && rightPost.renews(act) }],
    ack: ["renews no lease when entries are acknowledged", { renews: (act) => act !== "ack" && rightPost.renews(act) }],
    submit: ["renews no lease at a submit", { renews: (act) => act !== "submit" && rightPost.renews(act) }],
  }),
  ...breaks("SES-009", {
    "": ["renews a lease when its session is read", { renews: (act) => act === "read" || rightPost.renews(act) }],
    bare: [
      "renews every lease of an agent that drains",
      { renews: (act) => act === "drain without session" || rightPost.renews(act) },
    ],
  }),
  ...breaks("SES-010", {
    "": ["ends a lease before its time", { lapses: ({ expiresAt }) => expiresAt - 3000 }],
    never: ["ends no lease", { lapses: () => Number.POSITIVE_INFINITY }],
  }),
  ...breaks("SES-011", {
    "": [
      "moves the time of a close",
      { ends: (session, state, at) => void Object.assign(session, { state, endedAt: at }) },
    ],
  }),
  ...breaks("SES-012", {
    "": [
      "lets an expired session be closed",
      {
        ends(session, state, at) {
          if (session.state !== "closed") Object.assign(session, { state, endedAt: session.endedAt ?? at });
        },
      },
    ],
  }),
  ...breaks("SES-013", {
    "": ["keeps ended sessions for ever", { keepsEnded: Number.POSITIVE_INFINITY }],
    short: ["forgets ended sessions after an hour", { keepsEnded: 3600 }],
  }),
  ...breaks("SES-014", { "": ["lets any agent use a session", { owns: () => true }] }),
  ...breaks("SES-015", {
    "": ["lists live sessions alone", { lists: (isTheirs, { state }) => isTheirs && state === "active" }],
  }),
  ...breaks("SES-016", { "": ["shows sessions to every agent", { lists: () => true }] }),
  ...breaks("SES-024", { "": ["denies an own session that has ended", { gone: 404 }] }),
  ...breaks("SES-026", { "": ["says not when a session was seen", { shows: ({ last_seen: _, ...shown }) => shown }] }),
  ...breaks("SES-027", { "": ["accepts the id of a session as a credential", { owns: () => true }] }),
];

const inbox: readonly PostVariant[] = [
  ...breaks("INB-002", {
    "": [
      "lets an agent name the mailbox that it drains",
      { mailbox: (principal, query) => query.get("agent") ?? query.get("agent_id") ?? principal },
    ],
  }),
  ...breaks("INB-003", {
    "": ["hides no claimed entry", { hides: () => 0 }],
    forever: ["hides a claimed entry for good", { hides: () => Number.POSITIVE_INFINITY }],
  }),
  ...breaks("INB-004", {
    "": ["signs an entry once", { stamp: (fresh, { key }) => ({ ...fresh, jti: `once-${key}` }) }],
  }),
  ...breaks("INB-005", { "": ["brings acknowledged entries again", { takes: () => false }] }),
  ...breaks("INB-006", { "": ["lets any agent acknowledge entries", { takesFromOthers: true }] }),
  ...breaks("INB-007", {
    "": ["brings the last entry first", { sorts: (entries) => rightPost.sorts(entries).reverse() }],
  }),
  ...breaks("INB-008", { "": ["brings as much as there is", { batch: () => published.batch }] }),
  ...breaks("INB-009", { "": ["lets no drain wait", { waits: false }] }),
  ...breaks("INB-010", {
    "": [
      "brings messages to a drain without session",
      { brings: (isFor, _entry, session) => isFor || session === undefined },
    ],
  }),
  ...breaks("INB-011", {
    "": ["keeps mail for a session back", { brings: (isFor, { session }) => isFor && session === undefined }],
  }),
  ...breaks("INB-012", {
    "": [
      "brings the mail of one session to all",
      { brings: (isFor, { kind }, session) => isFor || (session !== undefined && kind === "message") },
    ],
  }),
  ...breaks("INB-013", { "": ["lets two sessions claim one entry", { hides: () => 0 }] }),
  ...breaks("INB-014", {
    "": [
      "loses the mail that an ended session had claimed",
      { bounces: (isDue, { mail, post }) => isDue || post.sessions.get(mail.claimedBy ?? "")?.endedAt !== undefined },
    ],
  }),
  ...breaks("INB-015", {
    "": [
      "lets only the claiming session acknowledge an entry",
      { takes: (isPresented, { mail }, session) => isPresented && mail.claimedBy === session },
    ],
  }),
  ...breaks("INB-016", {
    "": [
      "acknowledges every entry about a message at once",
      {
        names: (keys, { key, payload }) =>
          keys.includes(key) || (payload.in_reply_to !== undefined && keys.some((each) => each.startsWith("rcpt_"))),
      },
    ],
  }),
  ...breaks("INB-017", { "": ["acknowledges an entry by a guessed key", { takes: () => true }] }),
];

const entries: readonly PostVariant[] = [
  ...breaks("ENT-002", {
    "": [
      "believes who a message is from",
      {
        hands: (payload, { stored }) => ({
          ...payload,
          ...(stored?.message.from === undefined ? {} : { from: stored.message.from }),
        }),
      },
    ],
    session: [
      "forgets which session a message is from",
      {
        hands: (payload) =>
          typeof payload.from === "string" ? { ...payload, from: payload.from.replace(/#.*/, "") } : payload,
      },
    ],
  }),
  ...breaks("ENT-003", {
    "": [
      "hands over the sender's state",
      {
        hands: (payload, { kind, stored }) =>
          kind === "message" ? { ...payload, state: stored?.message.state ?? null } : payload,
      },
    ],
    callback: [
      "hands over the sender's callback",
      {
        hands: (payload, { kind, stored }) =>
          kind === "message" && isObject(stored?.message.request)
            ? { ...payload, request: stored.message.request }
            : payload,
      },
    ],
  }),
  ...breaks("ENT-004", {
    "": ["hands over a message without its key", { hands: ({ idempotency_key: _, ...payload }) => payload }],
  }),
  ...breaks("ENT-005", { "": ["brings no outcome to the session", { answers: () => false }] }),
  ...breaks("ENT-006", {
    "": [
      "brings the outcome for an ended session to the others",
      { answers: () => true, brings: (isFor, { isLate }) => isFor || isLate === true },
    ],
  }),
  ...breaks("ENT-007", {
    "": [
      "pushes an outcome under an id of its own",
      {},
      { policy: { pushBody: (envelope) => ({ ...envelope, resolution_id: `res_pushed-${envelope.in_reply_to}` }) } },
    ],
  }),
  ...breaks("ENT-009", {
    "": [
      "brings receipts of ended sessions to every drain",
      { receives: () => true, brings: (isFor, { kind }) => isFor || kind === "receipt" },
    ],
  }),
  ...breaks("ENT-008", {
    "": [
      "writes a receipt with another state than a read shows",
      { receipt: (payload) => ({ ...payload, prior: payload.prior === "queued" ? "delivered" : "queued" }) },
    ],
    session: [
      "names the sender's session in a receipt",
      { receipt: (payload) => ({ ...payload, session: String(payload.to).replace(/^.*#/, "") }) },
    ],
  }),
  ...breaks("TRK-002", {
    "": ["shows no time of delivery", { tracks: ({ delivered_at: _, ...track }) => track }],
    hidden: ["shows no track", { tracks: () => undefined }],
  }),
  ...breaks("TRK-003", {
    "": [
      "calls mail delivered at once",
      {
        tracks: (track) =>
          track.state === "queued" ? { ...track, state: "delivered", delivered_at: new Date().toISOString() } : track,
      },
    ],
  }),
  ...breaks("TRK-004", {
    "": ["bounces mail past its deadline", { expires: ({ state }) => (state === "queued" ? "bounced" : state) }],
  }),
  ...breaks("TRK-005", { "": ["lets drained mail expire", { expires: () => "expired" }] }),
  ...breaks("TRK-011", {
    "": ["says not how far bounced mail had come", { tracks: ({ prior: _, ...track }) => track }],
  }),
];

const bouncing: readonly PostVariant[] = [
  ...breaks("BNC-001", {
    "": ["keeps mail of an ended session queued", { bounces: (isDue, { mail }) => isDue && mail.state !== "queued" }],
  }),
  ...breaks("BNC-002", {
    "": [
      "leaves drained mail of an ended session as it is",
      { bounces: (isDue, { mail }) => isDue && mail.state !== "delivered" },
    ],
  }),
  ...breaks("BNC-003", {
    "": ["bounces acknowledged mail", { isFinal: ({ state }) => state === "bounced" || state === "expired" }],
  }),
  ...breaks("BNC-004", {
    "": [
      "bounces nothing when a lease runs out",
      {
        bounces: (isDue, { addressee, post }) =>
          isDue && post.sessions.get(addressee.session ?? "")?.state === "closed",
      },
    ],
  }),
  ...breaks("BNC-005", {
    "": [
      "bounces mail for an agent with the session that claimed it",
      { bounces: (isDue, { mail, post }) => isDue || post.sessions.get(mail.claimedBy ?? "")?.endedAt !== undefined },
    ],
  }),
  ...breaks("BNC-006", {
    "": [
      "names the agent for what could not be delivered",
      { ending: (outcome, { agent }) => ({ ...outcome, actor: `agent:${agent}` }) },
    ],
    task: [
      "cancels a task that could not be delivered",
      { ending: (outcome) => ({ ...outcome, resolution: "cancelled" }) },
    ],
  }),
  ...breaks("BNC-007", {
    "": [
      "cancels an answered ask that bounces",
      { endsWithMail: () => true, ending: (outcome) => outcome },
      { policy: { mayEndAgain: () => true } },
    ],
  }),
  ...breaks("BNC-008", {
    "": ["lets no mail expire before its session ends", { isFirst: () => false }],
  }),
  ...breaks("BNC-009", {
    "": [
      "pushes no outcome of its own making",
      {},
      {
        policy: {
          callbackOf: (entry, hub) =>
            JSON.stringify(entry.envelope ?? {}).includes("system:undeliverable")
              ? undefined
              : rightHubPolicy.callbackOf(entry, hub),
        },
      },
    ],
  }),
  ...breaks("BNC-012", {
    "": ["withdraws an outcome when its session ends", { withdrawsOutcomes: true }],
  }),
  ...breaks("BNC-011", { "": ["brings no receipt", { brings: (isFor, { kind }) => isFor && kind !== "receipt" }] }),
];

/** Hubs that break one rule on sessions or mailboxes each. */
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
