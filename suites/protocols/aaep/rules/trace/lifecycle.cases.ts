import { add, remove } from "../../../../../generators/index.ts";
import type { Cases, Change, JsonObject } from "../../../../../schemas/index.ts";
import { another, entry, on, onBoth, place, session } from "./session.ts";

const plain = session("start think update complete");
const two = session("start complete start complete");
const failed = session("start fail");
const cancelled = session("start think wait ask cancel");
const handed = session("start think handoff complete");
const called = session("start think reach invoke return think handoff complete");
const updated = called.toSpliced(-1, 0, another(plain, "progress.updated", { timestamp: "2026-01-15T09:30:08Z" }));
const joined: JsonObject[] = [{ gap: "joined in mid-session" }, ...plain.slice(1)];
const cut: JsonObject[] = [...plain.slice(0, 3), { gap: "the recorder stopped" }];
const subscription = session("request accepted");
const close = {
  type: "subscription.close",
  subscription_id: "sub_p4",
  reason_code: "done",
  reason_message: "That will do.",
};
const closed: JsonObject[] = [
  ...session("request accepted start think complete").slice(0, 4),
  { from: "subscriber", message: close },
];
const both = onBoth(plain);
/** The second subscription is made while the session goes on. */
const late = [...on("a", plain.slice(0, 2)), ...on("b", session("request accepted")), ...onBoth(plain.slice(2))];
const unwanted = { event_filters: { exclude: ["aaep:agent.session.*"] }, languages: ["en-GB"] };
const settled = session("request accepted start think complete", {
  request: { capabilities: unwanted },
  accepted: { honored_capabilities: unwanted },
});
const withoutEnds = settled.filter((_, index) => index !== 2 && index !== 4);
/** One session goes on while another begins and ends. */
const [start, think, update, complete] = plain as [JsonObject, JsonObject, JsonObject, JsonObject];
const inner = session("start complete", {
  start: { session_id: "sess_2", event_id: "evt_21" },
  complete: { session_id: "sess_2", event_id: "evt_22" },
});
const interleaved = [start, ...inner.slice(0, 1), think, ...inner.slice(1), update, complete];
/** A call and its completion before an entry of a type. */
function callBefore(trace: readonly JsonObject[], type: string): Change[] {
  const later = { tool_call_id: "call_2", timestamp: "2026-01-15T09:30:08Z" };
  const at = entry(trace, type);
  return [
    ...add(at, another(trace, "tool.completed", { ...later, event_id: "evt_completed" })),
    ...add(at, another(trace, "tool.invoked", { ...later, event_id: "evt_invoked" })),
  ];
}
const end = entry(plain, "session.completed");

export const lifecycleCases: readonly Cases[] = [
  {
    rule: "AAEP-LIFE-001",
    document: "session",
    valid: [
      { name: "start-first", says: "begins with its start", data: plain },
      { name: "interleaved", says: "holds two sessions, each with its start first", edge: true, data: interleaved },
      { name: "joined", says: "begins after a gap", edge: true, data: joined },
      {
        name: "joined-by-a-second-subscription",
        says: "has a subscription that begins in mid-session",
        edge: true,
        data: late,
      },
      { name: "two-in-turn", says: "holds two sessions in turn", data: two },
      { name: "start-filtered", says: "has filters that keep the start out", edge: true, data: withoutEnds },
    ],
    invalid: [
      {
        name: "no-start",
        says: "is a state change where a start is due",
        from: "start-first",
        at: "/0/message/type",
        change: remove("/0"),
      },
      {
        name: "start-second",
        says: "is a state change before the start",
        from: "start-first",
        at: "/0/message/type",
        change: [
          { op: "replace", path: "/0", value: think },
          {
            op: "replace",
            path: "/1",
            value: { ...start, message: { ...(start.message as JsonObject), timestamp: "2026-01-15T09:30:02Z" } },
          },
        ],
      },
      {
        name: "no-start-of-the-second",
        says: "is the end of a session that was not started",
        from: "two-in-turn",
        at: "/2/message/type",
        change: remove("/2"),
      },
    ],
    disputed: [
      {
        name: "subscribed-in-mid-session",
        says: "is the first of a session that began before the handshake, or began without a start",
        from: "start-first",
        at: "/2/message/type",
        change: [...remove("/0"), ...[...subscription].reverse().flatMap((each) => add("/0", each))],
        readings: [
          { verdict: "valid", by: ["specification §5.4"], why: "who subscribes in mid-session gets what follows" },
          { verdict: "invalid", by: ["position"], why: "nothing shows that the session was under way before" },
        ],
      },
    ],
  },
  {
    rule: "AAEP-LIFE-002",
    document: "session",
    valid: [
      { name: "one-start", says: "has one start", data: plain },
      { name: "a-start-each", says: "has a start for each of two sessions", edge: true, data: two },
      { name: "start-on-both", says: "has the start once on either subscription", edge: true, data: both },
    ],
    invalid: [
      {
        name: "start-again",
        says: "is a second start",
        from: "one-start",
        change: add("/1", another(plain, "session.started")),
      },
      {
        name: "start-before-the-end",
        says: "is a second start, just before the end",
        from: "one-start",
        change: add(end, another(plain, "session.started", { timestamp: "2026-01-15T09:30:03Z" })),
      },
    ],
  },
  {
    rule: "AAEP-LIFE-003",
    document: "session",
    valid: [
      { name: "completed", says: "is closed by its completion", data: plain },
      { name: "errored", says: "is closed by an error", data: failed },
      { name: "cancelled", says: "is closed by a cancellation, while a question is open", edge: true, data: cancelled },
      { name: "two", says: "holds two sessions, each with its end", data: two },
      { name: "closed-before", says: "closes the subscription before the session ends", edge: true, data: closed },
      { name: "cut-off", says: "ends in a gap", edge: true, data: cut },
      { name: "end-filtered", says: "has filters that keep the end out", edge: true, data: withoutEnds },
    ],
    invalid: [
      {
        name: "no-end",
        says: "is the last event of its session, and no end",
        from: "completed",
        at: place(plain, "progress.updated"),
        change: remove(end),
      },
      {
        name: "second-not-ended",
        says: "is the last event of the second session, and no end",
        from: "two",
        at: "/2/message",
        change: remove("/3"),
      },
      {
        name: "completed-and-errored",
        says: "closes a session that is closed",
        from: "completed",
        change: add("/4", another(failed, "session.errored", { timestamp: "2026-01-15T09:30:05Z" })),
      },
      {
        name: "completed-twice",
        says: "closes a session that is closed",
        from: "completed",
        change: add("/4", another(plain, "session.completed")),
      },
    ],
  },
  {
    rule: "AAEP-LIFE-004",
    document: "session",
    valid: [
      { name: "nothing-after", says: "ends with its end", data: plain },
      { name: "other-session-after", says: "has another session after its end", edge: true, data: two },
      { name: "errored", says: "ends with an error", data: failed },
      { name: "end-twice-delivered", says: "has its end delivered again", edge: true, data: [...plain, complete] },
    ],
    invalid: [
      {
        name: "update-after-the-end",
        says: "follows the end of its session",
        from: "nothing-after",
        change: add("/4", another(plain, "progress.updated", { timestamp: "2026-01-15T09:30:04Z" })),
      },
      {
        name: "update-after-an-error",
        says: "follows the error that ended its session",
        from: "errored",
        change: add("/2", another(plain, "progress.updated", { timestamp: "2026-01-15T09:30:03Z" })),
      },
      {
        name: "update-among-another-session",
        says: "follows the end of its session, within another",
        from: "other-session-after",
        change: add("/3", another(plain, "progress.updated", { timestamp: "2026-01-15T09:30:04Z" })),
      },
    ],
  },
  {
    rule: "AAEP-LIFE-005",
    document: "session",
    valid: [
      { name: "one-id", says: "has one id throughout", data: plain },
      { name: "two-started-ids", says: "has two ids, each with its start", edge: true, data: interleaved },
    ],
    invalid: [
      {
        name: "one-event-otherwise",
        says: "is an id that nothing started",
        from: "one-id",
        change: add(place(plain, "state.changed", "session_id"), "sess_2"),
      },
      {
        name: "one-character-more",
        says: "is the id that was started, and one character more",
        from: "one-id",
        change: add(place(plain, "progress.updated", "session_id"), "sess_11"),
      },
      {
        name: "end-otherwise",
        says: "is an id that nothing started",
        from: "one-id",
        change: add(place(plain, "session.completed", "session_id"), "sess_2"),
      },
    ],
  },
  {
    rule: "AAEP-LIFE-006",
    document: "session",
    valid: [
      { name: "new-ids", says: "gives each session an id of its own", data: two },
      {
        name: "after-a-cancellation",
        says: "has another id after a cancellation",
        data: session("start cancel start complete"),
      },
      {
        name: "ids-in-two-cases",
        says: "has ids that differ in case alone",
        edge: true,
        data: [
          ...session("start complete", { start: { session_id: "sess_a" }, complete: { session_id: "sess_a" } }),
          ...session("start complete", {
            start: { session_id: "sess_A", event_id: "evt_11", timestamp: "2026-01-15T09:31:00Z" },
            complete: { session_id: "sess_A", event_id: "evt_12", timestamp: "2026-01-15T09:31:01Z" },
          }),
        ],
      },
    ],
    invalid: [
      {
        name: "id-of-the-session-before",
        says: "is the id of the session before",
        from: "new-ids",
        at: "/2/message/session_id",
        change: [2, 3].map((index) => ({ op: "replace", path: `/${index}/message/session_id`, value: "sess_1" })),
      },
      {
        name: "id-of-a-cancelled-session",
        says: "is the id of a session that was cancelled",
        from: "after-a-cancellation",
        at: "/2/message/session_id",
        change: [2, 3].map((index) => ({ op: "replace", path: `/${index}/message/session_id`, value: "sess_1" })),
      },
    ],
  },
  {
    rule: "AAEP-HAND-004",
    document: "session",
    valid: [
      { name: "handed-over", says: "ends after the handoff", data: handed },
      { name: "update-after", says: "goes on with progress after the handoff", data: updated },
      { name: "calls-before", says: "has its calls before the handoff", edge: true, data: called },
    ],
    invalid: [
      {
        name: "call-after",
        says: "calls a tool after the handoff",
        from: "calls-before",
        change: callBefore(called, "session.completed"),
      },
      {
        name: "call-after-an-update",
        says: "calls a tool after the handoff and an update",
        from: "update-after",
        change: callBefore(updated, "session.completed"),
      },
    ],
  },
];
