import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../../schemas/index.ts";
import type { Members } from "../messages.ts";
import { brokenRules } from "./broken-rules.fixture.ts";
import { copyOfMessage, sentOn, sessionOf, varyMessages } from "./session.ts";
import { stampAt } from "./session-messages.ts";

const acceptedSession = sessionOf("start think wait ask accept proceed book booked think complete");
const findBrokenRules = (trace: readonly JsonObject[], ...rules: string[]): string[] =>
  brokenRules([...trace]).filter((brokenRule) => rules.some((rule) => brokenRule.startsWith(rule)));
const withReply = (members: Members): JsonObject[] => varyMessages(acceptedSession, { 4: members });
const makeHandshake = (canAnswer: boolean, id: string): JsonObject[] => {
  const capabilities = { supports_confirmation_reply: canAnswer, languages: ["en-GB"] };
  return sessionOf("request accepted", {
    request: { capabilities },
    accepted: { honored_capabilities: capabilities, subscription_id: id },
  });
};
/** Inserts another reply to the question before its reply. */
const withEarlierReply = (trace: readonly JsonObject[], members: Members): JsonObject[] =>
  trace.toSpliced(4, 0, ...varyMessages(trace.slice(4, 5), { 0: members }));

describe("an invalid reply", () => {
  it.each<[string, Members]>([
    ["without a time", { timestamp: undefined }],
    ["with a malformed timestamp", { timestamp: "2026-01-15 09:30:05Z" }],
    ["with an unknown member", { session_id: "sess_1" }],
  ])("%s does not permit the call", (_, members) => {
    expect(findBrokenRules(withReply(members), "TOOL-004")).toEqual(["TOOL-004 /6/message"]);
  });

  it("is too late from the deadline on, which is only as precise as the timestamp of the question", () => {
    const replyAt = (seconds: number): JsonObject[] =>
      acceptedSession.map((entry, index) => ({
        ...entry,
        message: {
          ...(entry.message as JsonObject),
          ...(index < 4 ? {} : { timestamp: stampAt(index === 4 ? seconds : 60 + index) }),
        },
      }));
    for (const seconds of [63.999, 64, 64.999])
      expect(findBrokenRules(replyAt(seconds), "CONF-022", "TOOL-004")).toEqual([]);
    for (const seconds of [65, 66])
      expect(findBrokenRules(replyAt(seconds), "CONF-022")).toEqual(["CONF-022 /6/message"]);
    const replyToExactQuestion = (seconds: number): JsonObject[] =>
      varyMessages(replyAt(seconds), { 3: { timestamp: "2026-01-15T09:30:04.000Z" } });
    for (const seconds of [63.999, 64])
      expect(findBrokenRules(replyToExactQuestion(seconds), "CONF-022", "TOOL-004")).toEqual([]);
    expect(findBrokenRules(replyToExactQuestion(64.001), "CONF-022")).toEqual(["CONF-022 /6/message"]);
  });

  it("does not forbid the call, because the next reply counts", () => {
    expect(brokenRules(withEarlierReply(acceptedSession, { decision: "reject", timestamp: undefined }))).toEqual([]);
  });

  it("from a subscriber that cannot answer does not replace the reply of one that can", () => {
    const trace = [
      ...sentOn("a", makeHandshake(true, "sub_p4")),
      ...sentOn("b", makeHandshake(false, "sub_b")),
      ...sentOn("a", acceptedSession.slice(0, 4)),
      ...sentOn(
        "b",
        varyMessages(acceptedSession.slice(4, 5), { 0: { decision: "reject", subscription_id: "sub_b" } }),
      ),
      ...sentOn("a", acceptedSession.slice(4)),
    ];
    expect(brokenRules(trace)).toEqual(["RPL-024 /8/message"]);
    expect(findBrokenRules(trace.toSpliced(9, 1), "TOOL-004")).toEqual(["TOOL-004 /10/message"]);
  });

  it("with an unknown subscription does not permit the call", () => {
    const trace = [...makeHandshake(true, "sub_p4"), ...withReply({ subscription_id: "sub_q5" })];
    expect(findBrokenRules(trace, "TOOL-004", "RPL-026")).toEqual([
      "TOOL-004 /8/message",
      "RPL-026 /6/message/subscription_id",
    ]);
  });
});

describe("when no subscriber that can answer remains", () => {
  const close = {
    from: "subscriber",
    message: { type: "subscription.close", subscription_id: "sub_p4", reason_code: "done", reason_message: "Done." },
  };
  const membersWithDefault = (defaultDecision: string): Record<string, Members> => ({
    ask: { risk_level: "low", default_decision: defaultDecision },
    book: { risk_level: "low" },
  });
  const closedSession = (defaultDecision: string, otherEntries: readonly JsonObject[] = []): JsonObject[] => [
    ...sentOn("a", makeHandshake(true, "sub_p4")),
    ...otherEntries,
    ...sentOn("b", makeHandshake(false, "sub_b")),
    ...sessionOf(
      "start think wait ask accept proceed book booked think complete",
      membersWithDefault(defaultDecision),
    ).flatMap((entry, index) => (index === 4 ? sentOn("a", [close]) : sentOn("b", [entry]))),
  ];

  it("a default of accept permits the call immediately", () => {
    expect(findBrokenRules(closedSession("accept"), "TOOL-004", "CONF-022", "CONF-024", "CONF-027")).toEqual([]);
  });

  it("a default of reject forbids the call immediately", () => {
    expect(findBrokenRules(closedSession("reject"), "TOOL-004", "CONF-022")).toEqual(["CONF-022 /10/message"]);
  });

  it("an early default is tolerated if another subscriber that can answer remains", () => {
    const otherSubscription = sentOn("c", makeHandshake(true, "sub_c"));
    expect(
      findBrokenRules(closedSession("accept", otherSubscription), "TOOL-004", "CONF-022", "CONF-024", "CONF-027"),
    ).toEqual([]);
  });
});

it("an action with a default of accept may begin 100 ms before the deadline, because timers may fire early", () => {
  const unansweredSession = acceptedSession.toSpliced(4, 1);
  const calledAt = (seconds: number): JsonObject[] =>
    unansweredSession.map((entry, index) => ({
      ...entry,
      message: {
        ...(entry.message as JsonObject),
        ...(index === 3 ? { timestamp: "2026-01-15T09:30:04.000Z", default_decision: "accept" } : {}),
        ...(index > 3 ? { timestamp: stampAt(index > 5 ? 60 + index : seconds) } : {}),
      },
    }));
  for (const seconds of [63.95, 63.999, 64, 65])
    expect(findBrokenRules(calledAt(seconds), "TOOL-004", "CONF-021")).toEqual([]);
  expect(findBrokenRules(calledAt(63.5), "CONF-021")).toEqual(["CONF-021 /3/message SHOULD"]);
});

describe("a question that its producer has dropped", () => {
  it("may be answered later, without any consequence", () => {
    const returnToThinking = copyOfMessage(acceptedSession, "state.changed", {
      event_id: "evt_back",
      timestamp: "2026-01-15T09:30:04Z",
      from_state: "awaiting_input",
      to_state: "thinking",
    });
    const droppedQuestion = [
      ...acceptedSession.slice(0, 4),
      returnToThinking,
      ...acceptedSession.slice(4, 5),
      ...acceptedSession.slice(9),
    ];
    expect(findBrokenRules(droppedQuestion, "CONF-02")).toEqual([]);
  });
});

describe("the call that carries out an accepted action", () => {
  it("is not the call of a harmless tool", () => {
    const trace = varyMessages(acceptedSession, { 6: { irreversible: undefined, risk_level: undefined } });
    expect(brokenRules(trace)).toEqual(["CONF-021 /4/message SHOULD"]);
  });

  it("may state the risk without saying that it is irreversible", () => {
    expect(brokenRules(varyMessages(acceptedSession, { 6: { irreversible: undefined } }))).toEqual([]);
  });
});
