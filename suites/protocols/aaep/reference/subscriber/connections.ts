import type { JsonObject } from "../../../../../schemas/index.ts";
import { eventsIn } from "../../scenarios/subscribing/frames.ts";
import type { Variant } from "../variant.ts";
import type { Policy } from "./model.ts";
import { after, changing } from "./varied.ts";

/** Subscribers that break one rule each in what they send, and in what becomes of their connections and questions. */
export const connectionVariants: readonly Variant<Policy>[] = [
  {
    rule: "AAEP-RPL-002",
    says: "writes tokens in small letters",
    policy: changing(/reply$/, (reply) => ({ ...reply, reply_token: String(reply.reply_token).toLowerCase() })),
  },
  {
    rule: "AAEP-RPL-021",
    says: "keeps rejections to itself",
    policy: { sends: (message) => (message.decision === "reject" && !isBrief(message) ? undefined : message) },
  },
  {
    rule: "AAEP-RPL-021",
    name: "one",
    says: "forgets a question over the next one",
    policy: { promptsAtOnce: 1 },
  },
  {
    rule: "AAEP-RPL-003",
    says: "stamps what its user decides by the local time",
    policy: changing(/confirmation\.reply$/, (reply) => ({
      ...reply,
      timestamp: String(reply.timestamp).replace("Z", ""),
    })),
  },
  {
    rule: "AAEP-RPL-007",
    says: "stamps replies with the time at which it was built",
    policy: changing(/reply$/, (reply) => ({ ...reply, timestamp: "2026-01-01T00:00:00Z" })),
  },
  {
    rule: "AAEP-RPL-026",
    says: "answers under an id of its own",
    policy: changing(/reply$/, (reply) => ({ ...reply, subscription_id: "sub_mine" })),
  },
  {
    rule: "AAEP-RPL-022",
    says: "accepts what is harmless by itself",
    policy: { answers: (event) => (event.default_decision === "accept" ? { decision: "accept" } : undefined) },
  },
  { rule: "AAEP-CONF-033", says: "leaves prompts standing", policy: { forgetsPrompts: false } },
  {
    ...{ rule: "AAEP-CONF-033", name: "dropped" },
    says: "leaves the prompt of an action standing that its producer has dropped",
    policy: { forgetsDropped: false },
  },
  {
    ...{ rule: "AAEP-CONF-033", name: "answered" },
    says: "goes on asking what its user has answered",
    policy: { forgetsAnswered: false },
  },
  {
    rule: "AAEP-HS-021",
    says: "falls over events that it has excluded",
    policy: {
      copes: (type, excluded) => !excluded.some((each) => each.includes("progress") && type.includes("progress")),
    },
  },
  {
    rule: "AAEP-HS-001",
    says: "asks for no events a second, meaning all",
    policy: changing(/request$/, (request) => ({
      ...request,
      capabilities: { ...(request.capabilities as JsonObject), max_events_per_second: 0 },
    })),
  },
  {
    rule: "AAEP-HS-014",
    says: "claims level 3, and no replies",
    policy: changing(/request$/, (request) => ({
      ...request,
      capabilities: { supported_conformance_levels: [1, 2, 3] },
    })),
  },
  {
    rule: "AAEP-HS-015",
    says: "asks without capabilities",
    policy: changing(/request$/, ({ capabilities: _, ...request }) => request),
  },
  {
    rule: "AAEP-HS-025",
    name: "change",
    says: "does not say which subscription it changes",
    policy: changing(/renegotiate$/, ({ subscription_id: _, ...change }) => change),
  },
  {
    rule: "AAEP-HS-025",
    name: "close",
    says: "does not say which subscription it closes",
    policy: changing(/close$/, ({ subscription_id: _, ...close }) => close),
  },
  {
    rule: "AAEP-TRN-002",
    name: "spaces",
    says: "takes only data after a space",
    policy: { reads: (take) => after(eventsIn(take), (text) => text.replaceAll(/^data:(?! )/gm, "lost:")) },
  },
  {
    rule: "AAEP-TRN-002",
    name: "feeds",
    says: "ends lines at line feeds alone",
    policy: { reads: (take) => after(eventsIn(take), (text) => text.replaceAll("\r", "\u00a0")) },
  },
  {
    rule: "AAEP-TRN-002",
    name: "chunks",
    says: "decodes each chunk by itself",
    policy: { decodes: () => (bytes) => new TextDecoder().decode(bytes) },
  },
  { rule: "AAEP-HS-024", says: "leaves without a word", policy: { closes: false } },
  { rule: "AAEP-HS-027", says: "does not get over a lost connection", policy: { survives: false } },
  {
    rule: "AAEP-HS-027",
    name: "prompts",
    says: "keeps the questions of a connection that is lost",
    policy: { freesPrompts: false },
  },
  {
    ...{ rule: "AAEP-TRN-006", name: "closed" },
    says: "keeps and answers the questions of a subscription that its producer has closed",
    policy: { respectsClose: false },
  },
  { rule: "AAEP-MAN-005", says: "does not verify signatures", policy: { verifies: false } },
  {
    rule: "AAEP-MAN-005",
    name: "single",
    says: "does not verify signatures, and listens to one producer at a time",
    policy: { verifies: false, isSingle: true },
  },
];
/** A token that the suite made up for its length, not one of its own. */
function isBrief({ reply_token: token }: JsonObject): boolean {
  return !String(token).startsWith("rpl_rpl");
}
