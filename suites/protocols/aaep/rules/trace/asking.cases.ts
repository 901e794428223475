import { add, remove } from "../../../../../generators/index.ts";
import type { Cases, Change, JsonObject } from "../../../../../schemas/index.ts";
import type { Members } from "../messages.ts";
import { stampAt } from "./says.ts";
import { another, entry, place, session, varied } from "./session.ts";

const rejected = session("start think wait ask reject think complete");
const accepted = session("start think wait ask accept proceed book booked think complete");
const answered = session("start think wait query answer think complete");
const two = session("start think wait ask reject think wait ask reject think complete");
const ending = { session_id: "sess_1", event_id: "evt_end", timestamp: stampAt(6) };
const errored = accepted.toSpliced(5, 5, another(session("start fail"), "session.errored", ending));

/** A second question while the first is open; both are rejected. */
const open = (first: Members, second: Members): JsonObject[] =>
  varied(rejected, { 3: first })
    .toSpliced(5, 0, another(rejected, "confirmation.reply", { reply_token: "rpl_2", event_id: undefined }))
    .toSpliced(
      4,
      0,
      another(rejected, "awaiting.confirmation", { reply_token: "rpl_2", action: "Cancel berth E12.", ...second }),
    );
const apart = open({}, {});
const otherwise = open({}, { consequence: "The deposit is lost." });
const inContext = open({ extra_context: { berth: "E14", days: 2 } }, { extra_context: { berth: "E14", days: 3 } });
const reordered = open({ extra_context: { berth: "E14", days: 2 } }, { extra_context: { days: 2, berth: "E14" } });
const sameAction = (trace: readonly JsonObject[]): Change[] =>
  add(place(trace, "awaiting.confirmation", "action", 2), "Book berth E14, request 1.");

/** A question that stays open for some time, with updates so many seconds after it, and its answer. */
function patient(timeout: number, updates: readonly number[], answer: number): JsonObject[] {
  const after = (seconds: number): Members => ({ timestamp: stampAt(4 + seconds) });
  const told = updates.map((seconds, index) =>
    another(session("start think update complete"), "progress.updated", {
      event_id: `evt_told${index}`,
      ...after(seconds),
    }),
  );
  return varied(rejected, {
    3: { timeout_seconds: timeout },
    4: after(answer),
    5: after(answer),
    6: after(answer),
  }).toSpliced(4, 0, ...told);
}
const counted = patient(300, [150, 270], 290);
const short = patient(61, [30, 55], 60);

export const askingCases: readonly Cases[] = [
  {
    rule: "AAEP-CONF-025",
    document: "session",
    valid: [
      { name: "other-action", says: "asks for something else while a question is open", data: apart },
      { name: "other-consequence", says: "asks for something else with another consequence", data: otherwise },
      { name: "other-context", says: "asks for something else in another context", data: inContext },
      { name: "other-order-of-context", says: "asks for something else in an equal context", data: reordered },
      {
        name: "again-after-the-answer",
        says: "asks for the same action again, after the first question was answered",
        edge: true,
        data: varied(two, { 7: { action: "Book berth E14, request 1." } }),
      },
      {
        name: "again-after-the-default",
        says: "asks for the same action again, after the first question expired",
        edge: true,
        data: session("request accepted start think wait ask lapse wait ask lapse complete", {
          ask: { action: "Book berth E14." },
        }),
      },
    ],
    invalid: [
      {
        name: "same-in-all",
        says: "asks what an open question asks",
        from: "other-action",
        at: place(apart, "awaiting.confirmation", "", 2),
        change: sameAction(apart),
      },
      {
        name: "same-but-for-the-order-of-context",
        says: "asks what an open question asks, with the members of its context in another order",
        from: "other-order-of-context",
        at: place(reordered, "awaiting.confirmation", "", 2),
        change: sameAction(reordered),
      },
      {
        name: "same-action",
        says: "asks for the action of an open question, with another consequence",
        from: "other-consequence",
        at: place(otherwise, "awaiting.confirmation", "", 2),
        change: sameAction(otherwise),
        level: "SHOULD",
      },
      {
        name: "same-action-in-another-context",
        says: "asks for the action of an open question, in another context",
        from: "other-context",
        at: place(inContext, "awaiting.confirmation", "", 2),
        change: sameAction(inContext),
        level: "SHOULD",
      },
    ],
  },
  {
    rule: "AAEP-CONF-028",
    document: "session",
    valid: [
      { name: "told-twice", says: "tells the time at half and at a tenth of five minutes", data: counted },
      { name: "told-within-61-seconds", says: "tells the time at half and at a tenth of 61 seconds", data: short },
      { name: "sixty-seconds", says: "tells nothing within 60 seconds", edge: true, data: patient(60, [], 59) },
      {
        name: "answered-before-half",
        says: "tells nothing, for the answer comes first",
        edge: true,
        data: patient(300, [], 140),
      },
      {
        name: "answered-before-a-tenth",
        says: "tells the time at half, and the answer comes soon",
        edge: true,
        data: patient(300, [150], 260),
      },
    ],
    invalid: [
      {
        name: "nothing-at-half",
        says: "is open for long, and nothing is told at half of the time",
        from: "told-twice",
        at: "/3/message",
        change: remove("/4"),
      },
      {
        name: "nothing-at-a-tenth",
        says: "is open for long, and nothing is told at a tenth of the time",
        from: "told-twice",
        at: "/3/message",
        change: remove("/5"),
      },
      {
        name: "told-at-the-wrong-time",
        says: "is open for long, and the time is told at a third instead of at half",
        from: "told-twice",
        at: "/3/message",
        change: add("/4/message/timestamp", stampAt(104)),
      },
      {
        name: "nothing-within-61-seconds",
        says: "is open for 61 seconds, and nothing is told at half of the time",
        from: "told-within-61-seconds",
        at: "/3/message",
        change: remove("/4"),
      },
    ],
  },
  {
    rule: "AAEP-CONF-029",
    document: "session",
    valid: [
      { name: "waits-and-goes-on", says: "awaits input for its question, and then goes on", data: accepted },
      { name: "waits-for-an-answer", says: "awaits input for a clarification, and then goes on", data: answered },
      { name: "waits-for-two", says: "awaits input for two questions at a time", edge: true, data: apart },
      {
        name: "errored-while-waiting",
        says: "ends with an error while it still awaits input",
        edge: true,
        data: errored,
      },
    ],
    invalid: [
      {
        name: "asked-while-thinking",
        says: "is asked while thinking",
        from: "waits-and-goes-on",
        at: "/2/message",
        change: remove(entry(accepted, "state.changed", 2)),
      },
      {
        name: "asked-while-calling",
        says: "is asked while calling a tool",
        from: "waits-for-an-answer",
        at: place(answered, "awaiting.clarification"),
        change: add(place(answered, "state.changed", "to_state", 2), "calling_tool"),
      },
      {
        name: "waits-to-the-end",
        says: "completes the session, which still awaits input",
        from: "waits-for-an-answer",
        at: "/5/message",
        change: remove(entry(answered, "state.changed", 3)),
      },
    ],
  },
];
