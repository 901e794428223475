import { add } from "../../../../../generators/index.ts";
import type { Cases, Json, JsonObject } from "../../../../../schemas/index.ts";
import { coreContext } from "../event.ts";
import { type Members, tidewatch } from "../messages.ts";
import { stampAt } from "./says.ts";
import { another, onBoth, place, session, varied } from "./session.ts";

const plain = session("start think wait ask reject think complete");
const query = session("start think wait query answer think complete");
const two = session("start think wait ask reject think wait ask reject think complete");
const lapsed = session("request accepted start think wait ask lapse wait ask reject think complete");
const mixed = session("start think wait ask reject think wait query answer think complete");
const sessions = session("start think wait ask reject think complete start think wait ask reject think complete");
const asked = "awaiting.confirmation";
const answer = "confirmation.reply";
const again = (trace: readonly JsonObject[], members: Members, type = answer): JsonObject =>
  another(trace, type, { event_id: undefined, ...members });
const joined: JsonObject[] = [{ gap: "joined in mid-session" }, ...plain.slice(4)];
const onlyReject = session("start think wait ask reject think complete", { ask: { allowed_replies: ["reject"] } });
const onlyAccept = session("start think wait ask accept proceed book booked think complete", {
  ask: {
    "@context": [coreContext, tidewatch],
    allowed_replies: ["accept", "defer"],
    risk_level: "low",
    reversibility: "reversible",
    default_decision: "accept",
  },
});
/** An answer at some time after the question, and what follows it. */
const answeredAfter = (timestamp: string): JsonObject[] =>
  varied(plain, { 4: { timestamp }, 5: { timestamp: stampAt(70) }, 6: { timestamp: stampAt(71) } });
const atLast = answeredAfter("2026-01-15T09:31:03.999Z");
const atOnce = varied(plain, { 4: { timestamp: stampAt(4) } });
const clarified = varied(query, {
  4: { timestamp: stampAt(63) },
  5: { timestamp: stampAt(70) },
  6: { timestamp: stampAt(71) },
});
const choices = [
  { value: "e14", label: "Berth E14" },
  { value: "e15", label: "Berth E15" },
];
const suited = (kinds: readonly string[] | undefined, response: Json): JsonObject[] =>
  session("start think wait query answer think complete", {
    query: {
      ...(kinds === undefined ? {} : { accepted_response_kinds: [...kinds] }),
      ...(kinds?.includes("multiple_choice") ? { choices } : {}),
    },
    answer: { response },
  });
const response = place(query, "clarification.reply", "response");

export const replyCases: readonly Cases[] = [
  {
    rule: "AAEP-RPL-001",
    document: "session",
    valid: [
      { name: "own-tokens", says: "gives each question a token", data: two },
      { name: "both-kinds", says: "gives a confirmation and a clarification two tokens", data: mixed },
      { name: "after-expiry", says: "gives a new token after a question expired", data: lapsed },
      { name: "two-sessions", says: "gives the questions of two sessions two tokens", data: sessions },
      { name: "one-question", says: "has one question with one token", data: plain },
      { name: "copies", says: "has one question with its token on two subscriptions", edge: true, data: onBoth(plain) },
      {
        name: "tokens-in-two-cases",
        says: "has tokens that differ in case alone",
        edge: true,
        data: varied(two, {
          3: { reply_token: "rpl_a" },
          4: { reply_token: "rpl_a" },
          7: { reply_token: "rpl_A" },
          8: { reply_token: "rpl_A" },
        }),
      },
    ],
    invalid: [
      {
        name: "token-of-an-answered-question",
        says: "is the token of a question that was answered",
        from: "own-tokens",
        at: place(two, asked, "reply_token", 2),
        change: [7, 8].flatMap((index) => add(`/${index}/message/reply_token`, "rpl_1")),
      },
      {
        name: "token-of-an-expired-question",
        says: "is the token of a question that expired",
        from: "after-expiry",
        at: place(lapsed, asked, "reply_token", 2),
        change: [8, 9].flatMap((index) => add(`/${index}/message/reply_token`, "rpl_1")),
      },
      {
        name: "token-of-the-other-kind",
        says: "is the token of a confirmation",
        from: "both-kinds",
        at: "/7/message/reply_token",
        change: [7, 8].flatMap((index) => add(`/${index}/message/reply_token`, "rpl_1")),
      },
      {
        name: "token-of-another-session",
        says: "is the token of a question in the session before",
        from: "two-sessions",
        at: "/10/message/reply_token",
        change: [10, 11].flatMap((index) => add(`/${index}/message/reply_token`, "rpl_1")),
      },
      {
        name: "asked-again-while-open",
        says: "is the token of the same question, which is asked again while it is open",
        from: "one-question",
        at: "/4/message/reply_token",
        change: add("/4", another(plain, asked)),
        level: "SHOULD",
      },
    ],
  },
  {
    rule: "AAEP-RPL-005",
    document: "session",
    valid: [
      { name: "known-token", says: "replies with the token of the question", data: plain },
      { name: "known-token-of-a-clarification", says: "replies with the token of the clarification", data: query },
      {
        name: "lettered",
        says: "replies with a token of letters",
        data: session("start think wait ask reject think complete", {
          ask: { reply_token: "rpl_a" },
          reject: { reply_token: "rpl_a" },
        }),
      },
      { name: "sent-twice", says: "is sent twice", edge: true, data: plain.toSpliced(5, 0, plain[4] as JsonObject) },
      {
        name: "asked-before-the-recording",
        says: "may have been asked before the recording",
        edge: true,
        data: joined,
      },
    ],
    invalid: [
      {
        name: "unknown-token",
        says: "is a token that no question has",
        from: "known-token",
        at: "/4/message/reply_token",
        change: add("/4", again(plain, { reply_token: "rpl_9" })),
      },
      {
        name: "token-in-capitals",
        says: "differs in case from the token of the question",
        from: "lettered",
        at: "/4/message/reply_token",
        change: add("/4", again(plain, { reply_token: "rpl_A" })),
      },
      {
        name: "reply-before-the-question",
        says: "is the token of a question that comes later",
        from: "known-token",
        at: "/3/message/reply_token",
        change: add("/3", again(plain, { timestamp: stampAt(4) })),
      },
      {
        name: "confirmation-by-clarification",
        says: "is the token of a confirmation in a reply to a clarification",
        from: "known-token",
        at: "/4/message/reply_token",
        change: add("/4", again(query, { response: "accept" }, "clarification.reply")),
      },
      {
        name: "clarification-by-confirmation",
        says: "is the token of a clarification in a reply to a confirmation",
        from: "known-token-of-a-clarification",
        at: "/4/message/reply_token",
        change: add("/4", again(plain, {})),
      },
    ],
  },
  {
    rule: "AAEP-RPL-006",
    document: "session",
    valid: [
      { name: "by-default-both", says: "rejects, where nothing is said of what is allowed", data: plain },
      { name: "only-reject", says: "rejects, where nothing else is allowed", edge: true, data: onlyReject },
      { name: "accept-or-defer", says: "accepts, where rejecting is not allowed", edge: true, data: onlyAccept },
    ],
    invalid: [
      {
        name: "accept-not-allowed",
        says: "accepts, where only rejecting is allowed",
        from: "only-reject",
        change: add(place(onlyReject, answer, "decision"), "accept"),
      },
      {
        name: "reject-not-allowed",
        says: "rejects, where only accepting or deferring is allowed",
        from: "accept-or-defer",
        at: "/4/message/decision",
        change: add("/4", again(onlyAccept, { decision: "reject" })),
      },
    ],
  },
  {
    rule: "AAEP-RPL-007",
    document: "session",
    valid: [
      { name: "in-time", says: "decides between question and deadline", data: plain },
      { name: "at-last", says: "decides a millisecond before the deadline", edge: true, data: atLast },
      { name: "at-once", says: "decides at the time of the question", edge: true, data: atOnce },
      { name: "clarified-in-time", says: "answers a second before the deadline", data: clarified },
    ],
    invalid: [
      {
        name: "at-the-deadline",
        says: "is the deadline itself",
        from: "at-last",
        change: add(place(plain, answer, "timestamp"), "2026-01-15T09:31:04Z"),
      },
      {
        name: "before-the-question",
        says: "is a millisecond before the question",
        from: "at-once",
        change: add(place(plain, answer, "timestamp"), "2026-01-15T09:30:03.999Z"),
      },
      {
        name: "at-the-deadline-in-another-zone",
        says: "is the deadline, in another zone",
        from: "at-last",
        change: add(place(plain, answer, "timestamp"), "2026-01-15T10:31:04+01:00"),
      },
      {
        name: "clarified-at-the-deadline",
        says: "is the deadline of the clarification",
        from: "clarified-in-time",
        change: add(place(query, "clarification.reply", "timestamp"), stampAt(64)),
      },
    ],
  },
  {
    rule: "AAEP-CLAR-006",
    document: "session",
    valid: [
      { name: "any", says: "answers a text, where no kind is named", data: query },
      { name: "any-number", says: "answers a number, where no kind is named", edge: true, data: suited(undefined, 67) },
      { name: "freetext", says: "answers a text", data: suited(["freetext"], "Curlew") },
      { name: "yes-no", says: "answers no", edge: true, data: suited(["yes_no"], false) },
      { name: "numeric", says: "answers 0", edge: true, data: suited(["numeric"], 0) },
      { name: "choice", says: "answers the value of a choice", data: suited(["multiple_choice"], "e15") },
      {
        name: "number-or-text",
        says: "answers digits, where texts are accepted too",
        edge: true,
        data: suited(["numeric", "freetext"], "67"),
      },
      {
        name: "choice-or-text",
        says: "answers a text that is no choice, where texts are accepted too",
        edge: true,
        data: suited(["multiple_choice", "freetext"], "e16"),
      },
    ],
    invalid: [
      {
        name: "digits-for-a-number",
        says: "is a text of digits, where a number is accepted",
        from: "numeric",
        change: add(response, "67"),
      },
      {
        name: "yes-for-true",
        says: "is a text, where yes or no is a boolean",
        from: "yes-no",
        change: add(response, "yes"),
      },
      { name: "one-for-true", says: "is 1, where yes or no is a boolean", from: "yes-no", change: add(response, 1) },
      {
        name: "number-for-a-text",
        says: "is a number, where a text is accepted",
        from: "freetext",
        change: add(response, 67),
      },
      {
        name: "true-for-a-text",
        says: "is a boolean, where a text is accepted",
        from: "freetext",
        change: add(response, true),
      },
      {
        name: "label-for-a-value",
        says: "is the label of a choice, not its value",
        from: "choice",
        change: add(response, "Berth E15"),
      },
      {
        name: "value-in-capitals",
        says: "differs in case from the value of a choice",
        from: "choice",
        change: add(response, "E15"),
      },
    ],
  },
];
