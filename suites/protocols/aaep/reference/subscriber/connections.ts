import type { JsonObject } from "../../../../../schemas/index.ts";
import { eventsIn } from "../../scenarios/subscribing/frames.ts";
import { breaks, type PartyVariant } from "../variant.ts";
import type { SubscriberPolicy } from "./model.ts";
import { changeMessages, readChanged } from "./varied.ts";

/** Subscribers that each break one rule in their messages, connections or questions. */
export const connectionVariants: readonly PartyVariant<SubscriberPolicy>[] = [
  ...breaks<SubscriberPolicy>("AAEP-RPL-002", {
    "": [
      "writes tokens in lower case",
      changeMessages(/reply$/, (reply) => ({ ...reply, reply_token: String(reply.reply_token).toLowerCase() })),
    ],
  }),
  ...breaks<SubscriberPolicy>("AAEP-RPL-021", {
    "": [
      "does not send rejections",
      { sends: (message) => (message.decision === "reject" && !isBrief(message) ? undefined : message) },
    ],
    one: ["forgets a question when the next one comes", { promptsAtOnce: 1 }],
  }),
  ...breaks<SubscriberPolicy>("AAEP-RPL-003", {
    "": [
      "stamps its user's decisions by the local time",
      changeMessages(/confirmation\.reply$/, (reply) => ({
        ...reply,
        timestamp: String(reply.timestamp).replace("Z", ""),
      })),
    ],
  }),
  ...breaks<SubscriberPolicy>("AAEP-RPL-007", {
    "": [
      "stamps replies with the time at which it was built",
      changeMessages(/reply$/, (reply) => ({ ...reply, timestamp: "2026-01-01T00:00:00Z" })),
    ],
  }),
  ...breaks<SubscriberPolicy>("AAEP-RPL-026", {
    "": [
      "answers under an id of its own",
      changeMessages(/reply$/, (reply) => ({ ...reply, subscription_id: "sub_mine" })),
    ],
  }),
  ...breaks<SubscriberPolicy>("AAEP-RPL-022", {
    late: [
      "rejects by itself if its user has not decided after a second",
      {
        answers: ({ type }) => (type === "aaep:agent.awaiting.confirmation" ? { decision: "reject" } : undefined),
        hesitates: 1000,
      },
    ],
    "": [
      "accepts harmless actions by itself",
      { answers: (event) => (event.default_decision === "accept" ? { decision: "accept" } : undefined) },
    ],
  }),
  ...breaks<SubscriberPolicy>("AAEP-CONF-033", {
    "": ["leaves answered prompts open", { forgetsPrompts: false }],
    dropped: ["leaves the prompt of a dropped action open", { forgetsDropped: false }],
    answered: ["keeps asking after its user has answered", { forgetsAnswered: false }],
  }),
  ...breaks<SubscriberPolicy>("AAEP-HS-021", {
    "": [
      "crashes on events that it has excluded",
      {
        copes: (type, excluded) => !excluded.some((each) => each.includes("progress") && type.includes("progress")),
      },
    ],
  }),
  ...breaks<SubscriberPolicy>("AAEP-HS-001", {
    "": [
      "asks for 0 events a second, meaning all",
      changeMessages(/request$/, (request) => ({
        ...request,
        capabilities: { ...(request.capabilities as JsonObject), max_events_per_second: 0 },
      })),
    ],
  }),
  ...breaks<SubscriberPolicy>("AAEP-HS-014", {
    "": [
      "claims level 3, and no replies",
      changeMessages(/request$/, (request) => ({
        ...request,
        capabilities: { supported_conformance_levels: [1, 2, 3] },
      })),
    ],
  }),
  ...breaks<SubscriberPolicy>("AAEP-HS-015", {
    "": ["asks without capabilities", changeMessages(/request$/, ({ capabilities: _, ...request }) => request)],
  }),
  ...breaks<SubscriberPolicy>("AAEP-HS-025", {
    change: [
      "does not say which subscription it changes",
      changeMessages(/renegotiate$/, ({ subscription_id: _, ...change }) => change),
    ],
    close: [
      "does not say which subscription it closes",
      changeMessages(/close$/, ({ subscription_id: _, ...close }) => close),
    ],
  }),
  ...breaks<SubscriberPolicy>("AAEP-TRN-002", {
    spaces: [
      "accepts data only after a space",
      { reads: (take) => readChanged(eventsIn(take), (text) => text.replaceAll(/^data:(?! )/gm, "lost:")) },
    ],
    feeds: [
      "ends lines at line feeds alone",
      { reads: (take) => readChanged(eventsIn(take), (text) => text.replaceAll("\r", "\u00a0")) },
    ],
    chunks: ["decodes each chunk separately", { decodes: () => (bytes) => new TextDecoder().decode(bytes) }],
  }),
  ...breaks<SubscriberPolicy>("AAEP-HS-024", {
    "": ["leaves without a message", { closes: false }],
  }),
  ...breaks<SubscriberPolicy>("AAEP-HS-027", {
    "": ["does not survive a lost connection", { survives: false }],
    prompts: ["keeps the questions of a connection that is lost", { freesPrompts: false }],
  }),
  ...breaks<SubscriberPolicy>("AAEP-TRN-006", {
    closed: [
      "keeps and answers the questions of a subscription that its producer has closed",
      { respectsClose: false },
    ],
  }),
  ...breaks<SubscriberPolicy>("AAEP-MAN-005", {
    "": ["does not verify signatures", { verifies: false }],
    single: ["does not verify signatures, and listens to one producer at a time", { verifies: false, isSingle: true }],
  }),
];
/** The token was made by the suite for its length. */
function isBrief({ reply_token: token }: JsonObject): boolean {
  return !String(token).startsWith("rpl_rpl");
}
