import { add, remove } from "../../../../../generators/index.ts";
import type { Cases, Change, JsonObject } from "../../../../../schemas/index.ts";
import { meanwhile, says, turn } from "./meanwhile.ts";
import { stampAt } from "./says.ts";
import { another, place, session, timed } from "./session.ts";

const rejected = session("start think wait ask reject think complete");
const accepted = session("start think wait ask accept proceed book booked think complete");
const answered = session("start think wait query answer think complete");
const lapsed = session("request accepted start think wait ask lapse complete");
const elsewhere = session("start cancel");
const ending = { session_id: "sess_1", event_id: "evt_end", timestamp: stampAt(6) };
const cancelled = rejected.toSpliced(5, 2, another(elsewhere, "session.cancelled", ending));
const errored = accepted.toSpliced(5, 5, another(session("start fail"), "session.errored", ending));
const dropped = answered.toSpliced(5, 2, another(elsewhere, "session.cancelled", ending));
const inTime = (trace: readonly JsonObject[]): JsonObject[] => timed(trace, (index) => (index < 5 ? index : index + 4));
const [rejectedInTime, acceptedInTime, answeredInTime] = [inTime(rejected), inTime(accepted), inTime(answered)];
/** A call goes on while the question is asked; after the rejection it fails. */
const failed = session("start think reach invoke return think complete", {
  return: { status: "error", error_message: "The harbour does not answer." },
})
  .toSpliced(5, 1)
  .toSpliced(
    4,
    0,
    ...meanwhile(
      4,
      turn("calling_tool", "awaiting_input"),
      [rejected, "awaiting.confirmation", {}],
      says("reject", "rpl_1"),
    ),
  );
const streamed = session("start think write last think wait ask reject think complete").toSpliced(
  8,
  1,
  ...meanwhile(9, [session("start think write last think complete"), "output.streaming", { output_id: "out_2" }]),
);
const late = add("/5/time", "2026-01-15T09:30:09.001Z");

export const followingCases: readonly Cases[] = [
  {
    rule: "AAEP-CONF-023",
    document: "session",
    valid: [
      { name: "state-changed", says: "goes back to thinking after the rejection", data: rejected },
      {
        name: "cancelled",
        says: "ends the session by a cancellation after the rejection",
        edge: true,
        data: cancelled,
      },
      {
        name: "after-five-seconds",
        says: "shows the rejection exactly five seconds later",
        edge: true,
        data: rejectedInTime,
      },
      { name: "rejected-by-default", says: "goes back to thinking when the question expires", data: lapsed },
      { name: "tool-failed", says: "reports a failure after the rejection", edge: true, data: failed },
      { name: "output-follows", says: "goes on with output after the rejection", edge: true, data: streamed },
    ],
    invalid: [
      {
        name: "tool-succeeded",
        says: "reports the success of another call after the rejection, and nothing shows that the action was dropped",
        from: "tool-failed",
        at: "/7/message",
        change: add("/7/message/status", "success"),
        level: "SHOULD",
      },
      {
        name: "silence",
        says: "rejects the action, and nothing follows",
        from: "cancelled",
        at: "/4/message",
        change: remove("/5"),
      },
      {
        name: "silence-in-mid-session",
        says: "rejects the action, and nothing follows",
        from: "after-five-seconds",
        at: "/4/message",
        change: [...remove("/6"), ...remove("/5")],
      },
      {
        name: "completed-at-once",
        says: "completes the session, and shows nothing of the rejection",
        from: "cancelled",
        change: add("/5", another(rejected, "session.completed", ending)).map((each) => ({
          ...each,
          op: "replace",
        })) as Change[],
        level: "SHOULD",
      },
      {
        name: "still-awaiting-input",
        says: "keeps awaiting input after the rejection",
        from: "state-changed",
        at: "/5/message",
        change: add(place(rejected, "state.changed", "to_state", 3), "awaiting_input"),
        level: "SHOULD",
      },
      {
        name: "after-more-than-five-seconds",
        says: "shows the rejection a millisecond more than five seconds later",
        from: "after-five-seconds",
        at: "/5/message",
        change: late,
        level: "SHOULD",
      },
    ],
  },
  {
    rule: "AAEP-CONF-026",
    document: "session",
    valid: [
      { name: "accepted-and-called", says: "goes on after the acceptance", data: accepted },
      { name: "accepted-and-errored", says: "ends with an error after the acceptance", edge: true, data: errored },
      { name: "answered-and-cancelled", says: "ends with a cancellation after the answer", edge: true, data: dropped },
      {
        name: "called-after-five-seconds",
        says: "goes on exactly five seconds after the acceptance",
        edge: true,
        data: acceptedInTime,
      },
      {
        name: "answered-for-five-seconds",
        says: "goes on exactly five seconds after the answer",
        edge: true,
        data: answeredInTime,
      },
    ],
    invalid: [
      {
        name: "silence-after-acceptance",
        says: "accepts the action, and nothing follows",
        from: "accepted-and-errored",
        at: "/4/message",
        change: remove("/5"),
      },
      {
        name: "silence-after-an-answer",
        says: "answers the question, and nothing follows",
        from: "answered-and-cancelled",
        at: "/4/message",
        change: remove("/5"),
      },
      {
        name: "late-after-acceptance",
        says: "comes a millisecond more than five seconds after the acceptance",
        from: "called-after-five-seconds",
        at: "/5/message",
        change: late,
        level: "SHOULD",
      },
      {
        name: "late-after-an-answer",
        says: "comes a millisecond more than five seconds after the answer",
        from: "answered-for-five-seconds",
        at: "/5/message",
        change: late,
        level: "SHOULD",
      },
    ],
  },
];
