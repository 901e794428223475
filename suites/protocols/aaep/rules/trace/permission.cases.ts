import { add, remove } from "../../../../../generators/index.ts";
import type { Cases, Change, JsonObject } from "../../../../../schemas/index.ts";
import type { Members } from "../messages.ts";
import { meanwhile, turn } from "./meanwhile.ts";
import { another, entry, place, session } from "./session.ts";

const plain = session("start think wait ask accept proceed book booked think complete");
const named = session("start think wait ask accept proceed book booked think complete", {
  ask: { extra_context: { tool_call_id: "call_1" } },
});
const called = session("start think reach invoke return think complete");
const failing: Members = { status: "error", error_message: "The harbour does not answer." };
const refused = session("start think wait ask reject think reach invoke return think complete", { return: failing });
const further = session("start think wait ask accept proceed book booked think reach invoke return think complete");
const twice = session(
  "start think wait ask accept proceed book booked think wait ask accept proceed book booked think complete",
);
const afterwards = session("start think reach invoke return think wait ask reject think complete");
const oneWay = further.filter(({ from }) => from === "producer");
const joined: JsonObject[] = [{ gap: "joined in mid-session" }, ...plain.slice(5)];
const english = { languages: ["en-GB"] };
const unable = { request: { capabilities: english }, accepted: { honored_capabilities: english } };
const mute = session("request accepted start think reach invoke return think complete", {
  ...unable,
  invoke: { irreversible: true },
});
const accepting = { ask: { risk_level: "low", reversibility: "reversible", default_decision: "accept" } };
const granted = session("start think wait ask lapse reach invoke return think complete", accepting);

/** A call while the question is open. */
const pending = session("request accepted start think wait ask cancel").toSpliced(
  6,
  0,
  ...meanwhile(
    6,
    turn("awaiting_input", "calling_tool"),
    [called, "tool.invoked", {}],
    [called, "tool.completed", failing],
  ),
);
const irreversible = (trace: readonly JsonObject[], nth = 1): Change[] =>
  add(place(trace, "tool.invoked", "irreversible", nth), true);
const risk = (trace: readonly JsonObject[], level: string, nth = 1): Change[] =>
  add(place(trace, "tool.invoked", "risk_level", nth), level);
const withoutCall = (trace: readonly JsonObject[]): Change[] => [
  ...remove(entry(trace, "tool.completed")),
  ...remove(entry(trace, "tool.invoked")),
];
const notCalled = session("start think wait ask accept proceed book booked think complete", {
  ask: { risk_level: "high" },
}).toSpliced(6, 2);
const errored = notCalled.toSpliced(
  -1,
  1,
  another(session("start fail"), "session.errored", { timestamp: "2026-01-15T09:30:09Z" }),
);
const modified = plain
  .toSpliced(6, 2)
  .map((each) =>
    each.from === "subscriber"
      ? { ...each, message: { ...(each.message as JsonObject), modified_action: { berth: "E15" } } }
      : each,
  );
const overlapping = plain.toSpliced(
  7,
  0,
  ...meanwhile(
    7,
    [called, "tool.invoked", { tool_call_id: "call_2" }],
    [called, "tool.completed", { tool_call_id: "call_2" }],
  ),
);

export const permissionCases: readonly Cases[] = [
  {
    rule: "AAEP-TOOL-004",
    document: "session",
    valid: [
      { name: "accepted-before", says: "calls what was accepted", data: plain },
      { name: "reversible", says: "calls what can be undone, without a question", data: called },
      {
        name: "asked-afterwards",
        says: "calls what can be undone, and then asks for something else",
        data: afterwards,
      },
      { name: "while-pending", says: "calls what can be undone, while a question is open", data: pending },
      { name: "granted-by-default", says: "calls what can be undone, after its default was to accept", data: granted },
      {
        name: "replies-not-recorded",
        says: "calls what was asked for, where no replies are recorded",
        edge: true,
        data: oneWay,
      },
      { name: "joined", says: "calls what may have been accepted before the recording", edge: true, data: joined },
      { name: "nobody-to-ask", says: "calls what has a low risk, where nobody could answer", edge: true, data: mute },
      { name: "named", says: "calls what the accepted question names", data: named },
    ],
    invalid: [
      {
        name: "nothing-asked",
        says: "is irreversible, and nothing was asked",
        from: "reversible",
        at: place(called, "tool.invoked"),
        change: irreversible(called),
      },
      {
        name: "asked-too-late",
        says: "is irreversible, and its question comes later",
        from: "asked-afterwards",
        at: place(afterwards, "tool.invoked"),
        change: irreversible(afterwards),
      },
      {
        name: "not-answered-yet",
        says: "is irreversible, and the question is still open",
        from: "while-pending",
        at: place(pending, "tool.invoked"),
        change: irreversible(pending),
      },
      {
        name: "nobody-to-ask-at-medium-risk",
        says: "is irreversible and of medium risk, where nobody could answer",
        from: "nobody-to-ask",
        at: place(mute, "tool.invoked"),
        change: risk(mute, "medium"),
      },
    ],
    disputed: [
      {
        name: "accepted-for-a-named-call",
        says: "is irreversible, and the accepted question names another call",
        from: "named",
        at: place(named, "tool.invoked"),
        change: add(`${place(named, "awaiting.confirmation")}/extra_context/tool_call_id`, "call_9"),
        readings: [
          { verdict: "invalid", by: ["position"], why: "the question names the call that it is about" },
          { verdict: "valid", by: ["specification"], why: "nothing ties a question to a call" },
        ],
      },
      {
        name: "expired-with-default-accept",
        says: "is irreversible, and its question expired with the default to accept",
        from: "granted-by-default",
        at: place(granted, "tool.invoked"),
        change: irreversible(granted),
        readings: [
          {
            verdict: "valid",
            by: ["specification §4.5.3", "position"],
            why: "a default that accepts counts as an acceptance",
          },
          { verdict: "invalid", by: ["specification §4.3.1"], why: "a reply has to have been received" },
        ],
      },
    ],
  },
  {
    rule: "AAEP-TOOL-005",
    document: "session",
    valid: [
      {
        name: "accepted-before",
        says: "calls what was accepted, at a high risk",
        data: session("start think wait ask accept proceed book booked think complete", {
          ask: { risk_level: "high" },
          book: { risk_level: "high", irreversible: undefined },
        }),
      },
      {
        name: "medium-risk",
        says: "calls what has a medium risk, without a question",
        edge: true,
        data: session("start think reach invoke return think complete", { invoke: { risk_level: "medium" } }),
      },
      { name: "while-pending", says: "calls what has a low risk, while a question is open", data: pending },
      { name: "another-call", says: "calls what has a low risk, after an accepted call", data: further },
      { name: "after-a-rejection", says: "calls something else after a rejection", data: refused },
    ],
    invalid: [
      {
        name: "nothing-asked",
        says: "is of high risk, and nothing was asked",
        from: "medium-risk",
        at: place(called, "tool.invoked"),
        change: risk(called, "high"),
      },
      {
        name: "not-answered-yet",
        says: "is of high risk, and the question is still open",
        from: "while-pending",
        at: place(pending, "tool.invoked"),
        change: risk(pending, "high"),
      },
      {
        name: "accepted-for-another",
        says: "is of high risk, and the acceptance was for the call before",
        from: "another-call",
        at: place(further, "tool.invoked", "", 2),
        change: risk(further, "high", 2),
      },
      {
        name: "rejected-at-another-risk",
        says: "is of high risk, and what was rejected was of medium risk",
        from: "after-a-rejection",
        at: place(refused, "tool.invoked"),
        change: risk(refused, "high"),
      },
    ],
  },
  {
    rule: "AAEP-CONF-021",
    document: "session",
    valid: [
      { name: "called-after", says: "calls what was accepted", data: plain },
      { name: "errored-before", says: "ends with an error before it calls", edge: true, data: errored },
      { name: "accepted-otherwise", says: "was told to do something else", edge: true, data: modified },
      { name: "called-by-default", says: "calls what was accepted by default", data: granted },
    ],
    invalid: [
      {
        name: "never-called",
        says: "accepts what is never called",
        at: place(plain, "confirmation.reply"),
        from: "called-after",
        change: withoutCall(plain),
        level: "SHOULD",
      },
      {
        name: "never-called-by-default",
        says: "asks for what its default accepts, and is never called",
        at: place(granted, "awaiting.confirmation"),
        from: "called-by-default",
        change: withoutCall(granted),
        level: "SHOULD",
      },
      {
        name: "completed-without",
        says: "accepts what is never called before the session completes",
        at: place(errored, "confirmation.reply"),
        from: "errored-before",
        change: [{ op: "replace", path: entry(errored, "session.errored"), value: plain.at(-1) }],
        level: "SHOULD",
      },
    ],
  },
  {
    rule: "AAEP-CONF-027",
    document: "session",
    valid: [
      { name: "one-each", says: "has an acceptance for each of two calls", data: twice },
      {
        name: "reversible-besides",
        says: "calls what can be undone, after an accepted call",
        edge: true,
        data: further,
      },
      {
        name: "at-a-time",
        says: "calls what can be undone, while an accepted call is open",
        edge: true,
        data: overlapping,
      },
      {
        name: "replies-not-recorded",
        says: "has a question for its irreversible call, where no replies are recorded",
        edge: true,
        data: oneWay,
      },
    ],
    invalid: [
      {
        name: "one-for-two",
        says: "is irreversible, and the acceptance was for the call before",
        from: "reversible-besides",
        at: place(further, "tool.invoked", "", 2),
        change: irreversible(further, 2),
      },
      {
        name: "one-for-two-at-a-time",
        says: "is irreversible, and the acceptance was for the call that is open",
        from: "at-a-time",
        at: place(overlapping, "tool.invoked", "", 2),
        change: irreversible(overlapping, 2),
      },
      {
        name: "one-question-for-two",
        says: "is irreversible, and the one question was for the call before",
        from: "replies-not-recorded",
        at: place(oneWay, "tool.invoked", "", 2),
        change: irreversible(oneWay, 2),
      },
    ],
  },
];
