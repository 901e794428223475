import { add, remove } from "../../../../../generators/index.ts";
import type { Cases, Json, JsonObject } from "../../../../../schemas/index.ts";
import type { Members } from "../messages.ts";
import { on, place, session, varied } from "./session.ts";

const asked = session("request accepted start think wait ask reject think complete");
const queried = session("request accepted start think wait query answer think complete");
const plain = session("start think wait ask reject think complete");
const joined: JsonObject[] = [{ gap: "joined late" }, ...asked.slice(1)];
const close: JsonObject = {
  from: "subscriber",
  message: {
    type: "subscription.close",
    subscription_id: "sub_p4",
    reason_code: "done",
    reason_message: "Reading is over.",
  },
};
const anew: JsonObject = {
  from: "subscriber",
  message: { type: "subscription.renegotiate", subscription_id: "sub_p4", capabilities: { languages: ["en-GB"] } },
};
const handshake = (id: string): JsonObject[] => session("request accepted", { accepted: { subscription_id: id } });
const two = [...on("a", handshake("sub_a")), ...on("b", handshake("sub_b"))];
const inTurn = [...on("a", [...handshake("sub_c"), close]), ...on("b", handshake("sub_c"))];
const renewed = [...handshake("sub_a"), anew, ...handshake("sub_a").slice(1)];
const closedBetween = [...handshake("sub_a"), close, ...handshake("sub_b")];
const capabilities = (confirmation: boolean | undefined, clarification: boolean | undefined): Members => ({
  capabilities: JSON.parse(
    JSON.stringify({
      supports_confirmation_reply: confirmation,
      supports_clarification_reply: clarification,
      languages: ["en-GB"],
    }),
  ) as Json,
});
/** What a request says, and the acceptance after it. */
const settling = (confirmation: boolean | undefined, clarification: boolean | undefined): Record<number, Members> => {
  const members = capabilities(confirmation, clarification);
  return { 0: members, 1: { honored_capabilities: members.capabilities } };
};
const onlyClarifies = varied(queried, settling(false, true));
const onlyConfirms = varied(asked, settling(true, false));
/** One subscription is asked, and the other, which can, answers. */
const forwarded = [
  ...on("b", handshake("sub_b")),
  ...on("a", varied(handshake("sub_a"), settling(false, false))),
  ...on("a", plain.slice(0, 4)),
  ...on("b", varied(plain.slice(4, 5), { 0: { subscription_id: "sub_b" } })),
  ...on("a", plain.slice(5)),
];
/** It cannot answer at first, and says later that it can. */
const ableSince = [
  ...varied(handshake("sub_p4"), settling(false, false)),
  ...varied([anew], { 0: capabilities(true, undefined) }),
  ...varied(handshake("sub_p4"), settling(true, false)).slice(1),
  ...plain,
];
/** What it was granted anew, when the recorder was away, nobody knows. */
const regranted = [...handshake("sub_a"), { gap: "the connection was lost" }, ...plain];
const support = "/0/message/capabilities";

export const subscriptionCases: readonly Cases[] = [
  {
    rule: "AAEP-HS-015",
    document: "session",
    valid: [
      { name: "request-first", says: "begins with a request", data: asked },
      { name: "renegotiated", says: "begins with a request, and is renegotiated", data: renewed },
      { name: "no-handshake", says: "has a reply and no handshake at all", edge: true, data: plain },
      { name: "joined-late", says: "may have been requested before the recording", edge: true, data: joined },
    ],
    invalid: [
      {
        name: "close-first",
        says: "closes the subscription before it is requested",
        from: "request-first",
        change: add("/0", close),
      },
      {
        name: "renegotiation-first",
        says: "renegotiates before it requests",
        from: "request-first",
        change: add("/0", anew),
      },
      {
        name: "request-left-out",
        says: "renegotiates what was never requested",
        from: "renegotiated",
        at: "/1/message",
        change: remove("/0"),
      },
    ],
  },
  {
    rule: "AAEP-HS-016",
    document: "session",
    valid: [
      { name: "own-ids", says: "gives each of two subscriptions an id", data: two },
      { name: "kept", says: "keeps the id when terms change", edge: true, data: renewed },
      {
        name: "again-after-the-close",
        says: "gives the id of a closed subscription to another",
        edge: true,
        data: inTurn,
      },
      { name: "anew-after-the-close", says: "gives another id after the close", edge: true, data: closedBetween },
      {
        name: "requested-anew",
        says: "gives another id after another request",
        edge: true,
        data: [...handshake("sub_a"), ...handshake("sub_b")],
      },
    ],
    invalid: [
      {
        name: "id-of-a-live-subscription",
        says: "is the id of another live subscription",
        from: "own-ids",
        change: add(place(two, "subscription.accepted", "subscription_id", 2), "sub_a"),
      },
      {
        name: "id-changed",
        says: "is another id than before",
        from: "kept",
        change: add(place(renewed, "subscription.accepted", "subscription_id", 2), "sub_b"),
      },
      {
        name: "close-left-out",
        says: "is the id of another subscription, which was not closed",
        from: "again-after-the-close",
        at: "/3/message/subscription_id",
        change: remove("/2"),
      },
    ],
  },
  {
    rule: "AAEP-RPL-024",
    document: "session",
    valid: [
      { name: "able-to-confirm", says: "replies as it said that it could", data: asked },
      { name: "able-to-clarify", says: "answers as it said that it could", data: queried },
      {
        name: "only-clarifies",
        says: "answers a clarification, though it cannot confirm",
        edge: true,
        data: onlyClarifies,
      },
      {
        name: "only-confirms",
        says: "confirms, though it cannot answer clarifications",
        edge: true,
        data: onlyConfirms,
      },
      {
        name: "forwarded",
        says: "has another subscription reply for the one that cannot",
        edge: true,
        data: forwarded,
      },
      { name: "no-handshake", says: "replies without a handshake", edge: true, data: plain },
      { name: "able-since", says: "replies as it said later that it could", edge: true, data: ableSince },
    ],
    invalid: [
      {
        name: "unable-to-confirm",
        says: "confirms, though it said that it could not",
        from: "able-to-confirm",
        at: place(asked, "confirmation.reply"),
        change: add(`${support}/supports_confirmation_reply`, false),
      },
      {
        name: "unable-to-clarify",
        says: "answers, though it said that it could not",
        from: "able-to-clarify",
        at: place(queried, "clarification.reply"),
        change: add(`${support}/supports_clarification_reply`, false),
      },
      {
        name: "unable-since",
        says: "confirms, though it said later that it could not",
        from: "able-since",
        at: place(ableSince, "confirmation.reply"),
        change: add("/2/message/capabilities/supports_confirmation_reply", false),
      },
      {
        name: "unsaid",
        says: "confirms, though it did not say that it could",
        from: "able-to-confirm",
        at: place(asked, "confirmation.reply"),
        change: remove(`${support}/supports_confirmation_reply`),
        level: "SHOULD",
      },
    ],
  },
  {
    rule: "AAEP-RPL-026",
    document: "session",
    valid: [
      { name: "id-granted", says: "replies under the id that was granted", data: asked },
      { name: "clarification-under-the-id", says: "answers under the id that was granted", data: queried },
      { name: "no-handshake", says: "replies under some id, where none was granted", edge: true, data: plain },
      {
        name: "granted-in-a-gap",
        says: "replies under an id that may have been granted when the recorder was away",
        edge: true,
        data: regranted,
      },
      {
        name: "forwarded",
        says: "replies under its own id to a question of another subscription",
        edge: true,
        data: forwarded,
      },
    ],
    invalid: [
      {
        name: "unknown-id",
        says: "is an id that was not granted",
        from: "id-granted",
        change: add(place(asked, "confirmation.reply", "subscription_id"), "sub_q5"),
      },
      {
        name: "id-in-capitals",
        says: "differs in case from the id that was granted",
        from: "id-granted",
        change: add(place(asked, "confirmation.reply", "subscription_id"), "sub_P4"),
      },
      {
        name: "unknown-id-of-an-answer",
        says: "is an id that was not granted",
        from: "clarification-under-the-id",
        change: add(place(queried, "clarification.reply", "subscription_id"), "sub_q5"),
      },
      {
        name: "id-of-the-other-subscription",
        says: "is the id of the subscription that was asked",
        from: "forwarded",
        change: add(place(forwarded, "confirmation.reply", "subscription_id"), "sub_a"),
        level: "SHOULD",
      },
    ],
  },
];
