import { describe, expect, it } from "vitest";
import { instant, namesOf, walk } from "../../../../../generators/index.ts";
import type { Json, JsonObject } from "../../../../../schemas/index.ts";
import { brokenRules } from "./broken-rules.fixture.ts";
import { entryOf } from "./entry.ts";
import { createSessionModel } from "./model.ts";
import { findExcess } from "./rate.ts";
import { addTimes, copyOfMessage, onBoth, sessionOf, sessionUnder, varyMessages } from "./session.ts";

/** Finds breaches of only these rules. */
const findBrokenRules = (trace: Json, ...rules: string[]): string[] =>
  brokenRules(trace).filter((brokenRule) => rules.some((rule) => brokenRule.startsWith(rule)));

describe("the order of shipped producers", () => {
  // They announce a call first, ask while it is open, and announce no call after the answer.
  const [start, think, reach, invoke, , , complete] = sessionOf("start think reach invoke return think complete", {
    invoke: { tool: "book_berth", irreversible: true, risk_level: "medium" },
    return: { tool: "book_berth" },
  }) as [JsonObject, JsonObject, JsonObject, JsonObject, JsonObject, JsonObject, JsonObject];
  const acceptedSession = sessionOf("start think wait ask accept proceed book booked think complete");
  const [wait, ask, accept, proceed, , booked, settle] = acceptedSession.slice(2) as JsonObject[];
  const atOneTime = (...entries: (JsonObject | undefined)[]): JsonObject[] =>
    varyMessages(
      entries as JsonObject[],
      Object.fromEntries(entries.map((_, index) => [index, { timestamp: "2026-01-15T09:30:05Z" }])),
    ).map((entry, index) =>
      (entry.message as JsonObject).event_id === undefined
        ? entry
        : (varyMessages([entry], { 0: { event_id: `evt_${index}` } })[0] as JsonObject),
    );
  const fromState = (entry: JsonObject | undefined, state: string): JsonObject =>
    varyMessages([entry as JsonObject], { 0: { from_state: state } })[0] as JsonObject;

  it("breaks the rule to ask first, and the rule to announce an accepted action", () => {
    const trace = atOneTime(
      start,
      think,
      reach,
      invoke,
      fromState(wait, "calling_tool"),
      ask,
      accept,
      proceed,
      booked,
      settle,
      complete,
    );
    expect(brokenRules(trace)).toEqual(["TOOL-004 /3/message", "CONF-021 /8/message"]);
  });

  it("breaks the rule against false reports if success is reported before the answer", () => {
    const trace = atOneTime(
      start,
      think,
      reach,
      invoke,
      fromState(wait, "calling_tool"),
      ask,
      booked,
      accept,
      proceed,
      settle,
      complete,
    );
    expect(findBrokenRules(trace, "TOOL-004", "CONF-024")).toEqual(["TOOL-004 /3/message", "CONF-024 /6/message"]);
  });

  it("breaks the rule against false reports if success is reported after a rejection", () => {
    const rejection = varyMessages([accept as JsonObject], { 0: { decision: "reject" } });
    const trace = atOneTime(
      start,
      think,
      reach,
      invoke,
      fromState(wait, "calling_tool"),
      ask,
      ...rejection,
      proceed,
      booked,
      settle,
      complete,
    );
    expect(findBrokenRules(trace, "TOOL-004", "CONF-02")).toEqual(["TOOL-004 /3/message", "CONF-024 /8/message"]);
  });

  it("breaks only the rule to ask first if there is no question", () => {
    expect(
      brokenRules(
        atOneTime(
          start,
          think,
          reach,
          invoke,
          varyMessages([booked as JsonObject], { 0: { tool_call_id: "call_1" } })[0],
          settle,
          complete,
        ),
      ),
    ).toEqual(["TOOL-004 /3/message"]);
  });
});

describe("an incomplete recording breaks no rule", () => {
  const completeSession = sessionOf(
    "start think wait ask accept proceed book booked think write chunk last think complete",
  );

  it.each(completeSession.map((_, index) => index))("if it begins after entry %i", (index) => {
    expect(brokenRules([{ gap: "joined late" }, ...completeSession.slice(index + 1)])).toEqual([]);
  });

  it.each(completeSession.map((_, index) => index))("if it stops before entry %i", (index) => {
    expect(brokenRules([...completeSession.slice(0, index), { gap: "stopped" }])).toEqual([]);
  });

  it("if the subscribers' side was not recorded", () => {
    expect(brokenRules(completeSession.filter(({ from }) => from === "producer"))).toEqual([]);
  });

  it("if a second subscription joins during a session", () => {
    const trace = onBoth(completeSession).filter(({ subscription }, index) => subscription === "a" || index > 4);
    expect(brokenRules(trace)).toEqual([]);
  });

  it("if the value is not a recording", () => {
    for (const value of [
      null,
      7,
      "x",
      {},
      [],
      [null],
      [{}],
      [{ from: "producer" }],
      [{ from: "producer", message: 7 }],
    ])
      expect(brokenRules(value as Json)).toEqual([]);
  });
});

describe("the rules on recordings", () => {
  it("allow a call to be announced before the state that it implies, as in the specification", () => {
    const trace = sessionOf("start think reach invoke return think write chunk last think complete").toSpliced(2, 1);
    expect(brokenRules(trace)).toEqual([]);
  });

  it("do not count a request without capabilities as a handshake", () => {
    const trace = sessionOf("request accepted start complete", { request: { capabilities: undefined } });
    expect(findBrokenRules(trace, "HS-015")).toEqual(["HS-015 /0/message"]);
  });

  it("allow critical events to overtake events that wait for the rate", () => {
    const rate = { max_events_per_second: 1 };
    const [request, accepted, start, think, fail] = sessionUnder(rate, rate, "start think fail") as JsonObject[];
    const overtakenTrace = [request, accepted, fail, start, think] as JsonObject[];
    expect(brokenRules(overtakenTrace)).toEqual([]);
    expect(findBrokenRules(sessionOf("start think fail").toSpliced(0, 1), "LIFE-001")).toEqual([
      "LIFE-001 /0/message/type",
    ]);
    const unorderedTrace = [request, accepted, think, start, fail] as JsonObject[];
    expect(findBrokenRules(unorderedTrace, "ENV-017")).toEqual(["ENV-017 /3/message/timestamp"]);
  });

  it.each<[{ max_events_per_second?: number }]>([[{ max_events_per_second: 1 }], [{}]])(
    "allow a question to overtake the call before it only under a rate: %j",
    (rate) => {
      const steps = "start think reach invoke return think wait ask reject think complete";
      const trace = sessionUnder(rate, rate, steps, { invoke: { risk_level: "medium" } });
      expect(brokenRules(trace)).toEqual([]);
      const overtakenTrace = [...trace.slice(0, 4), ...trace.slice(9, 11), ...trace.slice(4, 9), ...trace.slice(11)];
      const hasRateLimit = rate.max_events_per_second !== undefined;
      expect(brokenRules(overtakenTrace)).toEqual(
        hasRateLimit ? [] : ["CONF-029 /4/message", "ENV-017 /6/message/timestamp", "CONF-022 /7/message SHOULD"],
      );
    },
  );

  it("count copies with the same number on two subscriptions as one event", () => {
    const trace = sessionOf("start think wait ask accept proceed book booked think complete");
    expect(brokenRules(onBoth(trace))).toEqual([]);
  });

  it("report silence after an answer, but not the missing end of that session", () => {
    const trace = sessionOf("start think wait ask accept proceed book booked think complete");
    expect(brokenRules(trace.slice(0, 5))).toEqual(["CONF-026 /4/message"]);
    expect(brokenRules(trace.slice(0, 6))).toEqual(["LIFE-003 /5/message"]);
  });

  it("allow two questions to be answered in reverse order", () => {
    const trace = sessionOf("start think wait ask reject think complete");
    const twoQuestions = trace.toSpliced(
      4,
      0,
      copyOfMessage(trace, "awaiting.confirmation", { reply_token: "rpl_2", action: "Cancel berth E12." }),
      copyOfMessage(trace, "confirmation.reply", { reply_token: "rpl_2", event_id: undefined }),
    );
    expect(brokenRules(twoQuestions)).toEqual([]);
  });

  it("do not count an acceptance after a default of reject", () => {
    const trace = sessionOf("request accepted start think wait ask lapse reach invoke return think complete", {
      invoke: { irreversible: true },
      return: { status: "error" },
    });
    const lateAcceptance = trace.toSpliced(
      7,
      0,
      copyOfMessage(sessionOf("start think wait ask accept proceed book booked think complete"), "confirmation.reply", {
        event_id: undefined,
        timestamp: "2026-01-15T09:31:30Z",
      }),
    );
    expect(brokenRules(lateAcceptance)).toEqual(["CONF-022 /9/message", "RPL-007 /7/message/timestamp"]);
  });

  it("allow five seconds until the event after an answer", () => {
    const trace = addTimes(sessionOf("start think wait ask reject think complete"), (index) =>
      index < 5 ? index : index + 4,
    );
    expect(brokenRules(trace)).toEqual([]);
    expect(
      brokenRules(trace.map((entry, index) => (index === 5 ? { ...entry, time: "2026-01-15T09:30:09.001Z" } : entry))),
    ).toEqual(["CONF-023 /5/message SHOULD"]);
  });

  it("do not count a reply of the wrong kind as a permission", () => {
    const trace = sessionOf("start think wait ask accept proceed book booked think complete");
    const reply = { type: "clarification.reply", decision: undefined, response: "accept" };
    expect(brokenRules(varyMessages(trace, { 4: reply }))).toEqual([
      "TOOL-004 /6/message",
      "CONF-024 /7/message",
      "RPL-005 /4/message/reply_token",
    ]);
  });

  it("do not count a reply that the question does not allow as a permission", () => {
    const trace = sessionOf("start think wait ask accept proceed book booked think complete", {
      ask: { allowed_replies: ["reject"] },
    });
    expect(brokenRules(trace)).toEqual(["TOOL-004 /6/message", "CONF-024 /7/message", "RPL-006 /4/message/decision"]);
  });

  it("allow another agent to continue while a call is open", () => {
    const trace = sessionOf("start think reach invoke return think complete");
    const clerkMembers = { producer: { agent_id: "tide-clerk" }, timestamp: "2026-01-15T09:30:04Z" };
    expect(brokenRules(trace.toSpliced(4, 0, copyOfMessage(trace, "state.changed", clerkMembers)))).toEqual([]);
  });

  it("require every event to have the id of the only started session", () => {
    const [start, ...otherEntries] = sessionOf("start think complete") as [JsonObject, ...JsonObject[]];
    expect(brokenRules([start, ...varyMessages(otherEntries, { 0: { session_id: "sess_9" } })])).toEqual([
      "LIFE-005 /1/message/session_id",
    ]);
  });
});

describe("findExcess", () => {
  const timesEvery = (count: number, gap: number): number[] => Array.from({ length: count }, (_, index) => index * gap);
  it.each([
    ["one every 340 ms, at 3 a second", timesEvery(60, 340), 3, undefined],
    ["seven at once, at 3", timesEvery(7, 1), 3, false],
    ["eight at once, at 3", timesEvery(8, 1), 3, true],
    ["four at once, at 3", timesEvery(4, 1), 3, undefined],
    ["five at once, at 3", timesEvery(5, 1), 3, false],
    ["three at once after a pause, then one every 340 ms", [0, 5000, 5001, 5002, 5342, 5682, 6022], 3, false],
    ["20 at once, at 3", timesEvery(20, 1), 3, true],
    ["three a second for ten seconds, at 2", timesEvery(32, 333), 2, true],
    ["two a second for a minute, at 2", timesEvery(120, 500), 2, undefined],
    ["2.3 a second for a minute, at 2", timesEvery(140, 435), 2, true],
    ["an empty list", [], 1, undefined],
  ])("judges %s", (_, times, rate, isClear) => {
    expect(findExcess(times, rate)?.isClear).toBe(isClear);
  });
});

describe("entryOf", () => {
  it.each([
    [{ type: "aaep:agent.session.started" }, "producer"],
    [{ type: "subscription.accepted" }, "producer"],
    [{ type: "subscription.request" }, "subscriber"],
    [{ type: "confirmation.reply" }, "subscriber"],
    [{ type: "clarification.reply" }, "subscriber"],
  ])("reads %j as sent by the %s", (message, from) => {
    expect(entryOf(message)).toEqual({ from, message });
  });

  it("leaves entries, gaps and other values unchanged", () => {
    for (const line of [{ from: "subscriber", message: {} }, { gap: "lost" }, 7, null, ["x"]] as Json[])
      expect(entryOf(line)).toEqual(line);
  });
});

describe("instant", () => {
  it.each([
    ["1970-01-01T00:00:01Z", 1000],
    ["1970-01-01t01:00:00.5+01:00", 500],
    ["1969-12-31T23:59:60Z", 0],
    ["1970-01-01T00:00:00.000001Z", 0.001],
    ["0001-01-01T00:00:00Z", -62135596800000],
  ])("reads %s as %d", (text, milliseconds) => expect(instant(text)).toBe(milliseconds));

  it.each(["1970-01-01", "1970-01-01T00:00:00", "1970-01-01 00:00:00Z", "", 7, null])(
    "returns undefined for %j",
    (text) => {
      expect(instant(text)).toBeUndefined();
    },
  );
});

describe("a model", () => {
  it("rejects a step that is not possible in the current mode", () => {
    expect(walk(createSessionModel(), ["start", "complete"])).toHaveLength(2);
    expect(() => walk(createSessionModel(), ["start", "book"])).toThrow('no step "book" when idle');
  });

  it("ends on the shortest path after any choices", () => {
    expect(namesOf(createSessionModel(), [])).toEqual(["start", "complete"]);
    expect(namesOf(createSessionModel(), [0, 0]).at(-1)).toBe("complete");
  });
});
