import { add } from "../../../../../generators/index.ts";
import type { Cases, Change, JsonObject } from "../../../../../schemas/index.ts";
import type { Members } from "../messages.ts";
import { meanwhile, type Piece, says, turn } from "./meanwhile.ts";
import { place, session } from "./session.ts";

const plain = session("start think wait ask accept proceed book booked think complete");
const called = session("start think reach invoke return think complete");
const failing: Members = { status: "error", error_message: "The harbour does not answer." };
const refused = session("start think wait ask reject think reach invoke return think complete", { return: failing });
const lapsed = session("request accepted start think wait ask lapse reach invoke return think complete", {
  return: failing,
});

/** Two questions are open, and the second is rejected before the call that the first permits. */
const crosswise = plain
  .toSpliced(5, 0, ...meanwhile(5, says("reject", "rpl_2")))
  .toSpliced(
    4,
    0,
    ...meanwhile(4, [plain, "awaiting.confirmation", { reply_token: "rpl_2", action: "Cancel berth E12." }]),
  );

/** A question comes while a call is open: about that call, or another. */
const asks = (call: string): Piece => [plain, "awaiting.confirmation", { extra_context: { tool_call_id: call } }];
const rejecting = (call: string, ended: Members): JsonObject[] =>
  session("start think reach invoke return think complete", { return: ended }).toSpliced(
    4,
    0,
    ...meanwhile(
      4,
      turn("calling_tool", "awaiting_input"),
      asks(call),
      says("reject", "rpl_1"),
      turn("awaiting_input", "calling_tool"),
    ),
  );
const rejectedMeanwhile = rejecting("call_9", {});
const failedMeanwhile = rejecting("call_1", failing);
const openMeanwhile = called
  .toSpliced(5, 1, ...meanwhile(5, says("reject", "rpl_1"), turn("awaiting_input", "thinking")))
  .toSpliced(4, 0, ...meanwhile(4, turn("calling_tool", "awaiting_input"), asks("call_9")));
const nameless = openMeanwhile.map((each) => {
  const { tool_call_id: _id, extra_context: _context, ...message } = each.message as JsonObject;
  return { ...each, message };
});
const aboutCall = (trace: readonly JsonObject[]): Change[] =>
  add(`${place(trace, "awaiting.confirmation")}/extra_context/tool_call_id`, "call_1");
const irreversible = (trace: readonly JsonObject[], nth = 1): Change[] =>
  add(place(trace, "tool.invoked", "irreversible", nth), true);
const risk = (trace: readonly JsonObject[], level: string, nth = 1): Change[] =>
  add(place(trace, "tool.invoked", "risk_level", nth), level);

export const rejectionCases: readonly Cases[] = [
  {
    rule: "AAEP-CONF-022",
    document: "session",
    valid: [
      { name: "something-else", says: "calls something else after a rejection", data: refused },
      {
        name: "first-accepted-second-rejected",
        says: "calls what was accepted, after something else was rejected",
        edge: true,
        data: crosswise,
      },
      { name: "rejected-by-default", says: "calls something else after its question expired", data: lapsed },
      {
        name: "another-named",
        says: "calls another than the rejected question names",
        edge: true,
        data: session("start think wait ask reject think reach invoke return think complete", {
          ask: { extra_context: { tool_call_id: "call_9" } },
          return: failing,
        }),
      },
      {
        name: "high-risk-rejected",
        says: "calls something else after a question of high risk",
        data: session("start think wait ask reject think reach invoke return think complete", {
          ask: { risk_level: "high" },
        }),
      },
    ],
    invalid: [
      {
        name: "irreversible-after-the-rejection",
        says: "is irreversible, after a rejection",
        from: "something-else",
        at: place(refused, "tool.invoked"),
        change: irreversible(refused),
      },
      {
        name: "irreversible-after-the-default",
        says: "is irreversible, after its question expired with the default to reject",
        from: "rejected-by-default",
        at: place(lapsed, "tool.invoked"),
        change: irreversible(lapsed),
      },
      {
        name: "beyond-the-acceptance",
        says: "is irreversible, after the acceptance was used and something else rejected",
        from: "first-accepted-second-rejected",
        at: "/10/message",
        change: meanwhile(
          8,
          [plain, "tool.completed", { tool_call_id: "call_7", ...failing }],
          [plain, "tool.invoked", { tool_call_id: "call_7" }],
        ).flatMap((value) => add("/10", value)),
      },
      {
        name: "as-risky-as-rejected",
        says: "is of the medium risk that was rejected",
        from: "something-else",
        at: place(refused, "tool.invoked"),
        change: risk(refused, "medium"),
        level: "SHOULD",
      },
      {
        name: "of-the-high-risk-rejected",
        says: "is of the high risk that was rejected",
        from: "high-risk-rejected",
        at: place(refused, "tool.invoked"),
        change: risk(refused, "high"),
        level: "SHOULD",
      },
    ],
    disputed: [
      {
        name: "named-by-the-rejected-question",
        says: "is the call that the rejected question names",
        from: "another-named",
        at: "/7/message",
        change: add("/3/message/extra_context/tool_call_id", "call_1"),
        readings: [
          { verdict: "invalid", by: ["position"], why: "the question names the call that it is about" },
          { verdict: "valid", by: ["specification"], why: "nothing ties a question to a call" },
        ],
      },
    ],
  },
  {
    rule: "AAEP-CONF-024",
    document: "session",
    valid: [
      { name: "another-rejected", says: "completes a call, after another was rejected", data: rejectedMeanwhile },
      {
        name: "another-asked-for",
        says: "completes a call, while a question for another is open",
        data: openMeanwhile,
      },
      {
        name: "without-ids",
        says: "completes a call without an id, while a question that names none is open",
        edge: true,
        data: nameless,
      },
      { name: "failed", says: "reports that the call failed", edge: true, data: failedMeanwhile },
      { name: "accepted", says: "completes what was accepted", data: plain },
    ],
    invalid: [
      {
        name: "rejected-and-done",
        says: "reports the success of the call that was rejected",
        from: "another-rejected",
        at: place(rejectedMeanwhile, "tool.completed"),
        change: aboutCall(rejectedMeanwhile),
        level: "SHOULD",
      },
      {
        name: "asked-for-and-done",
        says: "reports the success of the call that is still asked for",
        from: "another-asked-for",
        at: place(openMeanwhile, "tool.completed"),
        change: aboutCall(openMeanwhile),
        level: "SHOULD",
      },
    ],
  },
];
