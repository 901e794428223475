import { sha256 } from "../../../ahcp/rules/signature.ts";
import { type PostDecisions, rightPost } from "./post-decisions.ts";
import { breaks, type PostVariant } from "./post-variant.ts";

const operator: readonly PostVariant[] = [
  ...breaks("SES-020", { "": ["shows the person no sessions", { personActs: false }] }),
  ...breaks("SES-021", {
    "": ["marks no session that the operator closed", { marks: () => false }],
    live: ["marks every session as closed by the operator", { marks: (_is, { state }) => state !== "expired" }],
  }),
  ...breaks("SES-022", { "": ["marks a session that had ended before", { closesEnded: true }] }),
  ...breaks("SES-023", { "": ["calls a session of the operator's just gone", { stoppedCode: "gone" }] }),
  ...breaks("HST-001", { "": ["lets a stopped agent register", { stops: false }] }),
  ...breaks("HST-002", { "": ["forgets stops at a restart", { restarts: ({ stopped }) => stopped.clear() }] }),
  ...breaks("HST-003", { "": ["lets an agent lift its stop by a close", { liftsAtClose: true }] }),
];

const signOther = (change: (context: Parameters<PostDecisions["signs"]>[0]) => object): Partial<PostDecisions> => ({
  signs: (context, { kind }) => (kind === "directive" ? { ...context, ...change(context) } : context),
});

const directives: readonly PostVariant[] = [
  ...breaks("DIR-002", { "": ["believes who wrote a directive", { authors: (person, claimed) => claimed ?? person }] }),
  ...breaks("DIR-004", {
    "": [
      "accepts directives to unknown agents",
      {
        refusesDirective: (refusal) =>
          JSON.stringify(refusal ?? {}).includes("unknown_destination") ? undefined : refusal,
      },
    ],
    ended: [
      "accepts directives to ended sessions",
      { refusesDirective: (refusal) => (refusal?.status === 410 ? undefined : refusal) },
    ],
  }),
  ...breaks("DIR-005", {
    "": [
      "accepts directives past their deadline",
      {
        refusesDirective: (refusal) => (JSON.stringify(refusal ?? {}).includes("expires_at") ? undefined : refusal),
      },
    ],
    late: ["brings directives past their deadline", { isLate: (isPast, { kind }) => isPast && kind !== "directive" }],
  }),
  ...breaks("DIR-006", {
    "": ["loses the labels of a directive", { hands: ({ tags: _, ...payload }) => payload }],
    mark: ["loses the mark of a confidential directive", { hands: ({ sensitive: _, ...payload }) => payload }],
  }),
  ...breaks("DIR-007", { "": ["shows a directive as a message", { readsDirectives: true }] }),
  ...breaks("DIR-008", {
    "": ["brings the directive of one session to all", { brings: (isFor, { kind }) => isFor || kind === "directive" }],
    lost: [
      "brings no directive to a session",
      { brings: (isFor, { kind, session }) => isFor && !(kind === "directive" && session !== undefined) },
    ],
  }),
  ...breaks("DSG-001", {
    "": ["signs a directive without its author", signOther(() => ({ from: "" }))],
    once: [
      "signs a directive as a message",
      signOther(({ payload_sha256 }) => ({ payload_sha256: sha256(String(payload_sha256)) })),
    ],
  }),
  ...breaks("AKN-010", { "": ["loses the note about a directive", { keepsNotes: false }] }),
  ...breaks("BNC-010", { "": ["bounces no directive", { bouncesDirectives: false }] }),
  ...breaks("ESG-006", {
    "": [
      "signs entries as they are written",
      {
        signs: (context, { kind, payload }) =>
          kind === "response"
            ? {
                ...context,
                payload_sha256: sha256(
                  JSON.stringify({ response: payload.response ?? null, state: payload.state ?? null }),
                ),
              }
            : context,
      },
    ],
  }),
];

const presence: readonly PostVariant[] = [
  ...breaks("PRS-002", {
    "": ["calls an agent online for ever", { freshness: Number.POSITIVE_INFINITY }],
    never: ["sees no drain", { sees: (act) => act === "waiting read" }],
  }),
  ...breaks("PRS-003", { "": ["sees an agent by its drains alone", { sees: (act) => act === "drain" }] }),
  ...breaks("PRS-004", { "": ["shows every agent who is there", { tellsPresence: () => true }] }),
  ...breaks("PRS-006", {
    "": [
      "calls an agent without a session an online destination",
      { reachedAt: (bySession, seen) => Math.max(bySession, seen ?? 0) },
    ],
  }),
  ...breaks("PRS-007", {
    "": ["sees an agent in the mail that comes to it", { sees: (act) => act === "mail" || rightPost.sees(act) }],
    restart: ["sees every agent at a restart", { sees: (act) => act === "restart" || rightPost.sees(act) }],
  }),
];

/** Hubs that break one rule on the person of an account each. */
export const personal: readonly PostVariant[] = [...operator, ...directives, ...presence];
