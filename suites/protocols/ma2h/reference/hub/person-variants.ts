import { canonical, type JsonObject } from "../../../../../schemas/index.ts";
import { sha256 } from "../../../ahcp/rules/signature.ts";
import { directiveDigest, entryContext } from "../../rules/signed-entry.ts";
import { correctPostDecisions, type PostDecisions } from "./post-decisions.ts";
import { breaks, type PostVariant } from "./post-variant.ts";

const operator: readonly PostVariant[] = [
  ...breaks("SES-020", { "": ["does not let the person see sessions", { personManagesSessions: false }] }),
  ...breaks("SES-021", {
    "": ["does not mark sessions that the operator closed", { marksStopped: () => false }],
    live: [
      "marks every session as closed by the operator",
      { marksStopped: (_isStopped, { state }) => state !== "expired" },
    ],
  }),
  ...breaks("SES-022", {
    "": ["marks a session that ended before the operator closed it", { closesEndedSessions: true }],
  }),
  ...breaks("SES-023", {
    "": ["answers for a stopped session with the code of any ended session", { stoppedCode: "gone" }],
  }),
  ...breaks("HST-001", { "": ["lets a stopped agent register", { enforcesStops: false }] }),
  ...breaks("HST-002", { "": ["forgets stops at a restart", { changeAtRestart: ({ stopped }) => stopped.clear() }] }),
  ...breaks("HST-003", { "": ["lets an agent lift its stop by a close", { liftsStopAtClose: true }] }),
];

type SignedContext = PostDecisions["signedContext"];

/** Signs entries of one kind over a changed context. */
function signWrongly(
  wrongKind: Parameters<SignedContext>[1]["kind"],
  change: (...parameters: Parameters<SignedContext>) => JsonObject,
): Partial<PostDecisions> {
  return {
    signedContext: (context, entry) => (entry.kind === wrongKind ? { ...context, ...change(context, entry) } : context),
  };
}

const noStamp = { t: "", jti: "" };
const toAgentAlone: (...parameters: Parameters<SignedContext>) => JsonObject = ({ to }) => ({
  to: String(to).replace(/#.*/, ""),
});

const directives: readonly PostVariant[] = [
  ...breaks("DIR-002", {
    "": ["believes the claimed author of a directive", { directiveAuthor: (person, claimed) => claimed ?? person }],
  }),
  ...breaks("DIR-004", {
    "": [
      "accepts directives to unknown agents",
      {
        refuseDirective: (refusal) =>
          JSON.stringify(refusal ?? {}).includes("unknown_destination") ? undefined : refusal,
      },
    ],
    ended: [
      "accepts directives to ended sessions",
      { refuseDirective: (refusal) => (refusal?.status === 410 ? undefined : refusal) },
    ],
  }),
  ...breaks("DIR-005", {
    "": [
      "accepts directives past their deadline",
      {
        refuseDirective: (refusal) => (JSON.stringify(refusal ?? {}).includes("expires_at") ? undefined : refusal),
      },
    ],
    late: ["delivers directives past their deadline", { isLate: (isPast, { kind }) => isPast && kind !== "directive" }],
  }),
  ...breaks("DIR-006", {
    "": ["loses the tags of a directive", { presentPayload: ({ tags: _, ...payload }) => payload }],
    mark: ["loses the mark of a confidential directive", { presentPayload: ({ sensitive: _, ...payload }) => payload }],
  }),
  ...breaks("DIR-007", { "": ["lets a directive be read as a message", { showsDirectivesAsMessages: true }] }),
  ...breaks("DIR-008", {
    "": [
      "delivers the directive for one session to all",
      { deliversEntry: (isDeliverable, { kind }) => isDeliverable || kind === "directive" },
    ],
    lost: [
      "delivers no directive to a session",
      {
        deliversEntry: (isDeliverable, { kind, session }) =>
          isDeliverable && !(kind === "directive" && session !== undefined),
      },
    ],
  }),
  ...breaks("DSG-001", {
    "": ["signs a directive without its author", signWrongly("directive", () => ({ from: "" }))],
  }),
  ...breaks("DSG-002", {
    "": [
      "signs the absent members of a directive as null",
      signWrongly("directive", (_context, { payload }) => ({
        payload_sha256: directiveDigest({ ...payload, body: payload.body ?? null, tags: payload.tags ?? null }),
      })),
    ],
  }),
  ...breaks("DSG-003", {
    "": [
      "signs whether a directive is confidential",
      signWrongly("directive", (_context, { payload }) => ({
        payload_sha256: directiveDigest(payload, ["sensitive"]),
      })),
    ],
  }),
  ...breaks("ESG-001", {
    "": [
      "signs a message with the sender's private state",
      signWrongly("message", (_context, { stored }) => ({
        payload_sha256: sha256(canonical({ message: stored?.message ?? null })),
      })),
    ],
  }),
  ...breaks("ESG-002", {
    "": [
      "signs a message without its type",
      signWrongly("message", (_context, { payload: { type: _, ...payload } }) => ({
        payload_sha256: entryContext("message", payload, noStamp, "").payload_sha256 ?? "",
      })),
    ],
    mark: [
      "signs a message without its confidentiality mark",
      signWrongly("message", (_context, { payload: { sensitive: _, ...payload } }) => ({
        payload_sha256: entryContext("message", payload, noStamp, "").payload_sha256 ?? "",
      })),
    ],
  }),
  ...breaks("ESG-003", {
    "": ["signs an outcome for the agent, and not for its session", signWrongly("response", toAgentAlone)],
  }),
  ...breaks("ESG-005", {
    "": ["signs a receipt for the agent, and not for its session", signWrongly("receipt", toAgentAlone)],
  }),
  ...breaks("AKN-010", { "": ["loses the note about a directive", { keepsNotes: false }] }),
  ...breaks("BNC-010", { "": ["bounces no directive", { bouncesDirectives: false }] }),
  ...breaks("ESG-006", {
    "": [
      "signs entries without canonical JSON",
      {
        signedContext: (context, { kind, payload }) =>
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
    never: ["does not count an agent as seen at a drain", { countsAsSeen: (act) => act === "waiting read" }],
  }),
  ...breaks("PRS-003", {
    "": ["counts an agent as seen only at its drains", { countsAsSeen: (act) => act === "drain" }],
  }),
  ...breaks("PRS-004", { "": ["shows presence to every agent", { mayReadPresence: () => true }] }),
  ...breaks("PRS-006", {
    "": [
      "calls an agent without a session an online destination",
      { lastReachedAt: (bySession, seen) => Math.max(bySession, seen ?? 0) },
    ],
  }),
  ...breaks("PRS-007", {
    "": [
      "counts an agent as seen when it receives mail",
      { countsAsSeen: (act) => act === "mail" || correctPostDecisions.countsAsSeen(act) },
    ],
    restart: [
      "counts every agent as seen at a restart",
      { countsAsSeen: (act) => act === "restart" || correctPostDecisions.countsAsSeen(act) },
    ],
  }),
];

const webhooks: readonly PostVariant[] = [
  ...breaks("INB-019", { "": ["pushes every kind of entry", { pushesToWebhook: () => true }] }),
  ...breaks("INB-020", {
    "": ["does not sign pushes to webhooks", { signsWebhooks: false }],
    once: ["does not retry a webhook", { retriesWebhook: () => false }],
    refused: [
      "retries a webhook that has refused a directive",
      { retriesWebhook: (status) => status === undefined || status >= 400 },
    ],
    gone: [
      "removes a directive from the mailbox after its webhook refused it",
      {
        recordWebhookResult(mail, isAccepted, now) {
          correctPostDecisions.recordWebhookResult(mail, isAccepted, now);
          if (!isAccepted) mail.state = "expired";
        },
      },
    ],
    taken: [
      "removes a pushed directive from the mailbox",
      {
        recordWebhookResult(mail) {
          mail.state = "acknowledged";
        },
      },
    ],
    queued: ["leaves a pushed directive queued", { recordWebhookResult: () => {} }],
  }),
  ...breaks("DUR-010", { "": ["forgets pending webhooks at a restart", { resumesWebhooks: false }] }),
  ...breaks("SSR-007", {
    "": ["pushes directives to any address", { guardsWebhooks: false }],
    redirect: ["follows redirects of webhooks", { followsRedirects: true }],
  }),
];

/** Hubs that each break one rule about the person of an account, directives, webhooks or presence. */
export const personal: readonly PostVariant[] = [...operator, ...directives, ...webhooks, ...presence];
