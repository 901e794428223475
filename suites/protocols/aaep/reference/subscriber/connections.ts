import type { JsonObject } from "../../../../../schemas/index.ts";
import { splitServerSentEvents } from "../../scenarios/subscribing/frames.ts";
import { type PartyVariant, variantsBreaking } from "../party-variant.ts";
import type { SubscriberPolicy } from "./model.ts";
import { changeMessages, changeTextBefore } from "./policy-changes.ts";

/** Subscribers with one mistake in their messages, connections or questions. */
export const connectionVariants: readonly PartyVariant<SubscriberPolicy>[] = [
  ...variantsBreaking<SubscriberPolicy>("AAEP-RPL-002", {
    "": [
      "writes tokens in lower case",
      changeMessages(/reply$/, (reply) => ({ ...reply, reply_token: String(reply.reply_token).toLowerCase() })),
    ],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-RPL-021", {
    "": [
      "does not send rejections",
      { changeMessage: (message) => (message.decision === "reject" && !hasChosenToken(message) ? undefined : message) },
    ],
    one: ["forgets a question when it receives the next one", { maxOpenPrompts: 1 }],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-RPL-003", {
    "": [
      "timestamps its user's decisions without a time zone",
      changeMessages(/confirmation\.reply$/, (reply) => ({
        ...reply,
        timestamp: String(reply.timestamp).replace("Z", ""),
      })),
    ],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-RPL-007", {
    "": [
      "timestamps every reply with the same time",
      changeMessages(/reply$/, (reply) => ({ ...reply, timestamp: "2026-01-01T00:00:00Z" })),
    ],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-RPL-026", {
    "": [
      "answers with an invented subscription id",
      changeMessages(/reply$/, (reply) => ({ ...reply, subscription_id: "sub_mine" })),
    ],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-RPL-022", {
    late: [
      "rejects by itself if its user has not decided after a second",
      {
        answerAutomatically: ({ type }) =>
          type === "aaep:agent.awaiting.confirmation" ? { decision: "reject" } : undefined,
        answerDelay: 1000,
      },
    ],
    "": [
      "accepts harmless actions by itself",
      { answerAutomatically: (event) => (event.default_decision === "accept" ? { decision: "accept" } : undefined) },
    ],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-CONF-033", {
    "": ["leaves answered prompts open", { closesPromptsAtEnd: false }],
    dropped: ["leaves the prompt of a dropped action open", { closesDroppedPrompt: false }],
    answered: ["keeps asking after its user has answered", { closesAnsweredPrompt: false }],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-HS-021", {
    "": [
      "crashes on events that it has excluded",
      {
        survivesEvent: (type, excluded) =>
          !excluded.some((pattern) => pattern.includes("progress") && type.includes("progress")),
      },
    ],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-HS-001", {
    "": [
      "requests 0 events a second, meaning no limit",
      changeMessages(/request$/, (request) => ({
        ...request,
        capabilities: { ...(request.capabilities as JsonObject), max_events_per_second: 0 },
      })),
    ],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-HS-014", {
    "": [
      "claims level 3 without supporting replies",
      changeMessages(/request$/, (request) => ({
        ...request,
        capabilities: { supported_conformance_levels: [1, 2, 3] },
      })),
    ],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-HS-015", {
    "": [
      "sends a request without capabilities",
      changeMessages(/request$/, ({ capabilities: _, ...request }) => request),
    ],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-HS-025", {
    change: [
      "does not say which subscription it changes",
      changeMessages(/renegotiate$/, ({ subscription_id: _, ...change }) => change),
    ],
    close: [
      "does not say which subscription it closes",
      changeMessages(/close$/, ({ subscription_id: _, ...close }) => close),
    ],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-TRN-002", {
    spaces: [
      "accepts data only after a space",
      {
        splitEvents: (handleText) =>
          changeTextBefore(splitServerSentEvents(handleText), (text) => text.replaceAll(/^data:(?! )/gm, "lost:")),
      },
    ],
    feeds: [
      "ends lines only at line feeds",
      {
        splitEvents: (handleText) =>
          changeTextBefore(splitServerSentEvents(handleText), (text) => text.replaceAll("\r", "\u00a0")),
      },
    ],
    chunks: ["decodes each chunk separately", { createDecoder: () => (bytes) => new TextDecoder().decode(bytes) }],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-HS-024", {
    "": ["leaves without closing its subscription", { sendsClose: false }],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-HS-027", {
    "": ["does not survive a lost connection", { survivesLoss: false }],
    prompts: ["keeps the questions of a lost connection", { closesPromptsOnLoss: false }],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-TRN-006", {
    closed: [
      "keeps and answers the questions of a subscription that its producer has closed",
      { respectsClose: false },
    ],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-MAN-005", {
    "": ["does not verify signatures", { verifiesSignatures: false }],
    single: [
      "does not verify signatures, and listens to one producer at a time",
      { verifiesSignatures: false, usesOneProducer: true },
    ],
  }),
];

/** Whether the scenario chose the token itself. Tokens that the suite generates begin with `rpl_rpl`. */
function hasChosenToken({ reply_token: token }: JsonObject): boolean {
  return !String(token).startsWith("rpl_rpl");
}
