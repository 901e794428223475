import { add, remove } from "../../../../../generators/index.ts";
import type { Cases, JsonObject } from "../../../../../schemas/index.ts";
import { meanwhile, says } from "./meanwhile.ts";
import { stampAt } from "./says.ts";
import { entry, place, session, varied } from "./session.ts";

const failing = { status: "error", error_message: "The harbour does not answer." };
/** What was accepted is called, and fails. */
const attempted = session("start think wait ask accept proceed book booked think complete", { booked: failing });
/** What was accepted is never called, as an error ends the session; the next one calls something else. */
const sessions = session(
  "start think wait ask accept proceed book booked think fail start think reach invoke return think complete",
).toSpliced(6, 2);
const clarified = session("start think wait query answer think reach invoke return think complete");
/** The acceptance is decided a millisecond before the deadline, and what was accepted is called after it. */
const lastMoment = varied(
  attempted,
  Object.fromEntries(attempted.map((_, index) => [index, index < 4 ? {} : { timestamp: stampAt(60 + index) }])),
).map((each, index) =>
  index === 4 ? { ...each, message: { ...(each.message as JsonObject), timestamp: stampAt(63.999) } } : each,
);
const reply = entry(attempted, "confirmation.reply");
const call = entry(attempted, "tool.invoked");
const refused = session("start think wait ask reject think reach invoke return think complete");
const overruled = session("start think wait ask reject think reach invoke return think complete", {
  return: failing,
}).toSpliced(5, 0, ...meanwhile(5, says("accept", "rpl_1")));
const close = (from: string): JsonObject => ({
  from,
  message: {
    type: "subscription.close",
    subscription_id: "sub_p4",
    reason_code: "done",
    reason_message: "That is all.",
  },
});
const running = session("request accepted start think complete");
const closing = [...running, close("producer")];

/** What a producer does about answers that are none, and after answers that are. */
export const answerCases: readonly Cases[] = [
  {
    rule: "AAEP-TOOL-004",
    document: "session",
    valid: [
      { name: "accepted-and-failed", says: "calls what was accepted", data: attempted },
      {
        name: "accepted-in-the-session-before",
        says: "calls what can be undone, in the session after one whose acceptance was not used",
        data: sessions,
      },
      { name: "clarified", says: "calls what can be undone, after a clarification", data: clarified },
    ],
    invalid: [
      {
        name: "accepted-in-another-session",
        says: "is irreversible, and the acceptance is of the session before",
        from: "accepted-in-the-session-before",
        at: place(sessions, "tool.invoked"),
        change: add(place(sessions, "tool.invoked", "irreversible"), true),
      },
      {
        name: "clarified-alone",
        says: "is irreversible, and all that was answered is a clarification",
        from: "clarified",
        at: place(clarified, "tool.invoked"),
        change: add(place(clarified, "tool.invoked", "irreversible"), true),
      },
      {
        name: "accepted-without-a-time",
        says: "is irreversible, and its acceptance has no timestamp, so that it is not one",
        at: `${call}/message`,
        change: remove(`${reply}/message/timestamp`),
      },
      {
        name: "accepted-without-a-subscription",
        says: "is irreversible, and its acceptance names no subscription, so that it is not one",
        at: `${call}/message`,
        change: remove(`${reply}/message/subscription_id`),
      },
      {
        name: "accepted-with-more",
        says: "is irreversible, and its acceptance has a member that there is not, so that it is not one",
        at: `${call}/message`,
        change: add(`${reply}/message/session_id`, "sess_1"),
      },
    ],
  },
  {
    rule: "AAEP-CONF-021",
    document: "session",
    valid: [{ name: "called-and-failed", says: "accepts what is called afterwards", data: attempted }],
    invalid: [
      {
        name: "something-harmless-called",
        says: "accepts what cannot be undone, and all that is called afterwards can be",
        at: `${reply}/message`,
        change: [...remove(`${call}/message/irreversible`), ...remove(`${call}/message/risk_level`)],
        level: "SHOULD",
      },
    ],
  },
  {
    rule: "AAEP-CONF-022",
    document: "session",
    valid: [
      { name: "done-after-thinking", says: "calls something else after it thought again", data: refused },
      {
        name: "accepted-at-last",
        says: "calls what was accepted a millisecond before the deadline",
        edge: true,
        data: lastMoment,
      },
      {
        name: "rejected-and-accepted",
        says: "calls something else after a rejection that an acceptance of the same question follows",
        data: overruled,
      },
    ],
    invalid: [
      {
        name: "accepted-too-late",
        says: "is irreversible, and the first reply to its question was a rejection",
        from: "rejected-and-accepted",
        at: place(overruled, "tool.invoked"),
        change: add(place(overruled, "tool.invoked", "irreversible"), true),
      },
      {
        name: "accepted-at-the-deadline",
        says: "is irreversible, and what accepts it is stamped with the deadline, so that it is too late",
        edge: true,
        from: "accepted-at-last",
        at: `${call}/message`,
        change: add(`${reply}/message/timestamp`, stampAt(64)),
      },
      {
        name: "done-at-once",
        says: "follows a rejection at once, tells no risk and succeeds",
        at: "/6/message",
        change: [...add(place(refused, "state.changed", "from_state", 4), "awaiting_input"), ...remove("/5")],
        level: "SHOULD",
      },
    ],
  },
  {
    rule: "AAEP-HS-022",
    document: "session",
    valid: [
      { name: "closed-last", says: "sends nothing after its close", data: closing, edge: true },
      {
        name: "closed-by-the-subscriber",
        says: "ends with the subscriber's close",
        data: [...running, close("subscriber")],
      },
    ],
    invalid: [
      {
        name: "after-the-close",
        says: "comes after the producer has closed its subscription",
        at: "/5/message",
        change: [...remove("/5"), ...add("/4", close("producer"))],
        edge: true,
      },
      {
        name: "complete-after-the-close",
        says: "is the end of the session, after the producer has closed its subscription",
        at: "/4/message",
        change: [...remove("/5"), ...add("/3", close("producer"))],
      },
    ],
    disputed: [
      {
        name: "after-the-subscriber-closed",
        says: "comes after the subscriber has closed its subscription",
        at: "/5/message",
        change: [...remove("/5"), ...add("/4", close("subscriber"))],
        readings: [
          { verdict: "valid", by: ["specification §5.7.2"], why: "it was on its way when the close arrived" },
          { verdict: "invalid", by: ["specification §5.8.2"], why: "nothing is sent on a closed subscription" },
        ],
      },
    ],
  },
];
