import { canonical, type JsonObject } from "../../../../../schemas/index.ts";
import { sha256 } from "../../../ahcp/rules/signature.ts";
import { directiveDigest, entryContext } from "../../rules/signed-entry.ts";
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

type Signs = PostDecisions["signs"];

/** A hub that signs entries of one kind otherwise. */
function signOther(
  only: Parameters<Signs>[1]["kind"],
  change: (...given: Parameters<Signs>) => JsonObject,
): Partial<PostDecisions> {
  return { signs: (context, entry) => (entry.kind === only ? { ...context, ...change(context, entry) } : context) };
}

const noStamp = { t: "", jti: "" };
const toAgentAlone: (...given: Parameters<Signs>) => JsonObject = ({ to }) => ({ to: String(to).replace(/#.*/, "") });

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
    "": ["signs a directive without its author", signOther("directive", () => ({ from: "" }))],
  }),
  ...breaks("DSG-002", {
    "": [
      "signs what a directive lacks as null",
      signOther("directive", (_context, { payload }) => ({
        payload_sha256: directiveDigest({ ...payload, body: payload.body ?? null, tags: payload.tags ?? null }),
      })),
    ],
  }),
  ...breaks("DSG-003", {
    "": [
      "signs whether a directive is confidential",
      signOther("directive", (_context, { payload }) => ({ payload_sha256: directiveDigest(payload, ["sensitive"]) })),
    ],
  }),
  ...breaks("ESG-001", {
    "": [
      "signs a message with the state of its sender",
      signOther("message", (_context, { stored }) => ({
        payload_sha256: sha256(canonical({ message: stored?.message ?? null })),
      })),
    ],
  }),
  ...breaks("ESG-002", {
    "": [
      "signs a message without its type",
      signOther("message", (_context, { payload: { type: _, ...payload } }) => ({
        payload_sha256: entryContext("message", payload, noStamp, "").payload_sha256 ?? "",
      })),
    ],
    mark: [
      "signs a message without its mark of confidence",
      signOther("message", (_context, { payload: { sensitive: _, ...payload } }) => ({
        payload_sha256: entryContext("message", payload, noStamp, "").payload_sha256 ?? "",
      })),
    ],
  }),
  ...breaks("ESG-003", {
    "": ["signs an outcome for the agent, and not for its session", signOther("response", toAgentAlone)],
  }),
  ...breaks("ESG-005", {
    "": ["signs a receipt for the agent, and not for its session", signOther("receipt", toAgentAlone)],
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

const webhooks: readonly PostVariant[] = [
  ...breaks("INB-019", { "": ["pushes every kind of entry", { webhooks: () => true }] }),
  ...breaks("INB-020", {
    "": ["signs no webhook", { signsWebhooks: false }],
    once: ["tries a webhook once", { retriesWebhook: () => false }],
    refused: [
      "tries a webhook again that has refused a directive",
      { retriesWebhook: (status) => status === undefined || status >= 400 },
    ],
    gone: [
      "removes a directive from the mailbox after its webhook refused it",
      {
        webhooked(mail, isAccepted, now) {
          rightPost.webhooked(mail, isAccepted, now);
          if (!isAccepted) mail.state = "expired";
        },
      },
    ],
    taken: [
      "removes a pushed directive from the mailbox",
      {
        webhooked(mail) {
          mail.state = "acknowledged";
        },
      },
    ],
    queued: ["calls a directive queued that was pushed", { webhooked: () => {} }],
  }),
  ...breaks("DUR-010", { "": ["forgets pending webhooks at a restart", { resumesWebhooks: false }] }),
  ...breaks("SSR-007", {
    "": ["pushes directives to any address", { guardsWebhooks: false }],
    redirect: ["follows redirects of webhooks", { followsWebhooks: true }],
  }),
];

/** Hubs that break one rule on the person of an account each. */
export const personal: readonly PostVariant[] = [...operator, ...directives, ...webhooks, ...presence];
