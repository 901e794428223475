import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../../schemas/index.ts";
import type { Members } from "../messages.ts";
import { brokenRules } from "./found.fixture.ts";
import { copyOfMessage, sentOn, session, varyMessages } from "./session.ts";
import { stampAt } from "./session-messages.ts";

const plain = session("start think wait ask accept proceed book booked think complete");
const brokenOf = (trace: readonly JsonObject[], ...rules: string[]): string[] =>
  brokenRules([...trace]).filter((each) => rules.some((rule) => each.startsWith(rule)));
const withReply = (members: Members): JsonObject[] => varyMessages(plain, { 4: members });
const handshake = (answers: boolean, id: string): JsonObject[] => {
  const capabilities = { supports_confirmation_reply: answers, languages: ["en-GB"] };
  return session("request accepted", {
    request: { capabilities },
    accepted: { honored_capabilities: capabilities, subscription_id: id },
  });
};
/** Inserts another reply to the question before the existing one. */
const before = (trace: readonly JsonObject[], members: Members): JsonObject[] =>
  trace.toSpliced(4, 0, ...varyMessages(trace.slice(4, 5), { 0: members }));

describe("an invalid reply", () => {
  it.each<[string, Members]>([
    ["without a time", { timestamp: undefined }],
    ["with a timestamp in another form", { timestamp: "2026-01-15 09:30:05Z" }],
    ["with an unknown member", { session_id: "sess_1" }],
  ])("%s permits nothing", (_, members) => {
    expect(brokenOf(withReply(members), "TOOL-004")).toEqual(["TOOL-004 /6/message"]);
  });

  it("may be stamped after the deadline by the digits of the question: then the default counts, and forbids", () => {
    const late = (seconds: number): JsonObject[] =>
      plain.map((each, index) => ({
        ...each,
        message: {
          ...(each.message as JsonObject),
          ...(index < 4 ? {} : { timestamp: stampAt(index === 4 ? seconds : 60 + index) }),
        },
      }));
    for (const seconds of [63.999, 64, 64.999]) expect(brokenOf(late(seconds), "CONF-022", "TOOL-004")).toEqual([]);
    for (const seconds of [65, 66]) expect(brokenOf(late(seconds), "CONF-022")).toEqual(["CONF-022 /6/message"]);
    const exact = (seconds: number): JsonObject[] =>
      varyMessages(late(seconds), { 3: { timestamp: "2026-01-15T09:30:04.000Z" } });
    for (const seconds of [63.999, 64]) expect(brokenOf(exact(seconds), "CONF-022", "TOOL-004")).toEqual([]);
    expect(brokenOf(exact(64.001), "CONF-022")).toEqual(["CONF-022 /6/message"]);
  });

  it("forbids nothing either: the next reply counts", () => {
    expect(brokenRules(before(plain, { decision: "reject", timestamp: undefined }))).toEqual([]);
  });

  it("comes from a subscriber that cannot answer, before the reply of one that can", () => {
    const both = [
      ...sentOn("a", handshake(true, "sub_p4")),
      ...sentOn("b", handshake(false, "sub_b")),
      ...sentOn("a", plain.slice(0, 4)),
      ...sentOn("b", varyMessages(plain.slice(4, 5), { 0: { decision: "reject", subscription_id: "sub_b" } })),
      ...sentOn("a", plain.slice(4)),
    ];
    expect(brokenRules(both)).toEqual(["RPL-024 /8/message"]);
    expect(brokenOf(both.toSpliced(9, 1), "TOOL-004")).toEqual(["TOOL-004 /10/message"]);
  });

  it("names an unknown subscription", () => {
    const trace = [...handshake(true, "sub_p4"), ...withReply({ subscription_id: "sub_q5" })];
    expect(brokenOf(trace, "TOOL-004", "RPL-026")).toEqual([
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
  const ask = (fallback: string): Record<string, Members> => ({
    ask: { risk_level: "low", default_decision: fallback },
    book: { risk_level: "low" },
  });
  const closed = (fallback: string, rest: readonly JsonObject[] = []): JsonObject[] => [
    ...sentOn("a", handshake(true, "sub_p4")),
    ...rest,
    ...sentOn("b", handshake(false, "sub_b")),
    ...session("start think wait ask accept proceed book booked think complete", ask(fallback)).flatMap(
      (each, index) => (index === 4 ? sentOn("a", [close]) : sentOn("b", [each])),
    ),
  ];

  it("the default applies at once, and may permit", () => {
    expect(brokenOf(closed("accept"), "TOOL-004", "CONF-022", "CONF-024", "CONF-027")).toEqual([]);
  });

  it("the default applies at once, and may forbid", () => {
    expect(brokenOf(closed("reject"), "TOOL-004", "CONF-022")).toEqual(["CONF-022 /10/message"]);
  });

  it("if one that can answer remains, an early default is tolerated", () => {
    const other = sentOn("c", handshake(true, "sub_c"));
    expect(brokenOf(closed("accept", other), "TOOL-004", "CONF-022", "CONF-024", "CONF-027")).toEqual([]);
  });
});

it("a default to accept may be carried out some milliseconds early, since timers may run out early, and no earlier", () => {
  const unanswered = plain.toSpliced(4, 1);
  const called = (seconds: number): JsonObject[] =>
    unanswered.map((each, index) => ({
      ...each,
      message: {
        ...(each.message as JsonObject),
        ...(index === 3 ? { timestamp: "2026-01-15T09:30:04.000Z", default_decision: "accept" } : {}),
        ...(index > 3 ? { timestamp: stampAt(index > 5 ? 60 + index : seconds) } : {}),
      },
    }));
  for (const seconds of [63.95, 63.999, 64, 65]) expect(brokenOf(called(seconds), "TOOL-004", "CONF-021")).toEqual([]);
  expect(brokenOf(called(63.5), "CONF-021")).toEqual(["CONF-021 /3/message SHOULD"]);
});

describe("a question that its producer has dropped", () => {
  it("may be answered later, without any consequence", () => {
    const back = copyOfMessage(plain, "state.changed", {
      event_id: "evt_back",
      timestamp: "2026-01-15T09:30:04Z",
      from_state: "awaiting_input",
      to_state: "thinking",
    });
    const dropped = [...plain.slice(0, 4), back, ...plain.slice(4, 5), ...plain.slice(9)];
    expect(brokenOf(dropped, "CONF-02")).toEqual([]);
  });
});

describe("acting on what was accepted", () => {
  it("does not include the call of a harmless tool", () => {
    const trace = varyMessages(plain, { 6: { irreversible: undefined, risk_level: undefined } });
    expect(brokenRules(trace)).toEqual(["CONF-021 /4/message SHOULD"]);
  });

  it("includes a call that declares the risk, but not that it is final", () => {
    expect(brokenRules(varyMessages(plain, { 6: { irreversible: undefined } }))).toEqual([]);
  });
});
