import { describe, expect, it } from "vitest";
import { instant, namesOf, walk } from "../../../../../generators/index.ts";
import type { Json, JsonObject } from "../../../../../schemas/index.ts";
import { entryOf } from "./entry.ts";
import { brokenRules } from "./found.fixture.ts";
import { model } from "./model.ts";
import { excess } from "./rate.ts";
import { addTimes, copyOfMessage, onBoth, session, sessionUnder, varyMessages } from "./session.ts";

/** The findings of these rules alone. */
const brokenOf = (trace: Json, ...rules: string[]): string[] =>
  brokenRules(trace).filter((each) => rules.some((rule) => each.startsWith(rule)));

describe("the order in which shipped producers ask", () => {
  // The call is announced first; the question comes while it is open, and nothing is announced after the answer.
  const [start, think, reach, invoke, , , complete] = session("start think reach invoke return think complete", {
    invoke: { tool: "book_berth", irreversible: true, risk_level: "medium" },
    return: { tool: "book_berth" },
  }) as [JsonObject, JsonObject, JsonObject, JsonObject, JsonObject, JsonObject, JsonObject];
  const asking = session("start think wait ask accept proceed book booked think complete");
  const [wait, ask, accept, proceed, , booked, settle] = asking.slice(2) as JsonObject[];
  const order = (...entries: (JsonObject | undefined)[]): JsonObject[] =>
    varyMessages(
      entries as JsonObject[],
      Object.fromEntries(entries.map((_, index) => [index, { timestamp: "2026-01-15T09:30:05Z" }])),
    ).map((each, index) =>
      (each.message as JsonObject).event_id === undefined
        ? each
        : (varyMessages([each], { 0: { event_id: `evt_${index}` } })[0] as JsonObject),
    );
  const from = (each: JsonObject | undefined, state: string): JsonObject =>
    varyMessages([each as JsonObject], { 0: { from_state: state } })[0] as JsonObject;

  it("breaks the rule to ask first, and the rule to announce an accepted action", () => {
    const trace = order(
      start,
      think,
      reach,
      invoke,
      from(wait, "calling_tool"),
      ask,
      accept,
      proceed,
      booked,
      settle,
      complete,
    );
    expect(brokenRules(trace)).toEqual(["TOOL-004 /3/message", "CONF-021 /8/message"]);
  });

  it("breaks the rule against false reports, if it reports success before the answer", () => {
    const trace = order(
      start,
      think,
      reach,
      invoke,
      from(wait, "calling_tool"),
      ask,
      booked,
      accept,
      proceed,
      settle,
      complete,
    );
    expect(brokenOf(trace, "TOOL-004", "CONF-024")).toEqual(["TOOL-004 /3/message", "CONF-024 /6/message"]);
  });

  it("breaks the same rule if it reports success after a rejection", () => {
    const rejected = varyMessages([accept as JsonObject], { 0: { decision: "reject" } });
    const trace = order(
      start,
      think,
      reach,
      invoke,
      from(wait, "calling_tool"),
      ask,
      ...rejected,
      proceed,
      booked,
      settle,
      complete,
    );
    expect(brokenOf(trace, "TOOL-004", "CONF-02")).toEqual(["TOOL-004 /3/message", "CONF-024 /8/message"]);
  });

  it("never asks", () => {
    expect(
      brokenRules(
        order(
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

/** Capabilities with and without answers to questions. */
describe("missing knowledge accuses no one", () => {
  const whole = session("start think wait ask accept proceed book booked think write chunk last think complete");

  it.each(whole.map((_, index) => index))("a recording that begins after entry %i", (index) => {
    expect(brokenRules([{ gap: "joined late" }, ...whole.slice(index + 1)])).toEqual([]);
  });

  it.each(whole.map((_, index) => index))("a recording that stops before entry %i", (index) => {
    expect(brokenRules([...whole.slice(0, index), { gap: "stopped" }])).toEqual([]);
  });

  it("the subscribers' side, if it was not recorded", () => {
    expect(brokenRules(whole.filter(({ from }) => from === "producer"))).toEqual([]);
  });

  it("a second subscription that joins during a session", () => {
    const both = onBoth(whole).filter(({ subscription }, index) => subscription === "a" || index > 4);
    expect(brokenRules(both)).toEqual([]);
  });

  it("a value that is not a recording", () => {
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

describe("decisions without a vector", () => {
  it("a session of the specification: the call is announced before the state that it implies", () => {
    const trace = session("start think reach invoke return think write chunk last think complete").toSpliced(2, 1);
    expect(brokenRules(trace)).toEqual([]);
  });

  it("a request without capabilities is not a handshake", () => {
    const trace = session("request accepted start complete", { request: { capabilities: undefined } });
    expect(brokenOf(trace, "HS-015")).toEqual(["HS-015 /0/message"]);
  });

  it("critical events overtake events that wait for the rate", () => {
    const rate = { max_events_per_second: 1 };
    const [request, accepted, start, think, fail] = sessionUnder(rate, rate, "start think fail") as JsonObject[];
    const overtaken = [request, accepted, fail, start, think] as JsonObject[];
    expect(brokenRules(overtaken)).toEqual([]);
    expect(brokenOf(session("start think fail").toSpliced(0, 1), "LIFE-001")).toEqual(["LIFE-001 /0/message/type"]);
    const unordered = [request, accepted, think, start, fail] as JsonObject[];
    expect(brokenOf(unordered, "ENV-017")).toEqual(["ENV-017 /3/message/timestamp"]);
  });

  it.each<[{ max_events_per_second?: number }]>([[{ max_events_per_second: 1 }], [{}]])(
    "a question overtakes the call before it, which waits for the rate: %j",
    (rate) => {
      const steps = "start think reach invoke return think wait ask reject think complete";
      const trace = sessionUnder(rate, rate, steps, { invoke: { risk_level: "medium" } });
      expect(brokenRules(trace)).toEqual([]);
      const overtaken = [...trace.slice(0, 4), ...trace.slice(9, 11), ...trace.slice(4, 9), ...trace.slice(11)];
      const isHeld = rate.max_events_per_second !== undefined;
      expect(brokenRules(overtaken)).toEqual(
        isHeld ? [] : ["CONF-029 /4/message", "ENV-017 /6/message/timestamp", "CONF-022 /7/message SHOULD"],
      );
    },
  );

  it("events of one number on two subscriptions are one event", () => {
    const trace = session("start think wait ask accept proceed book booked think complete");
    expect(brokenRules(onBoth(trace))).toEqual([]);
  });

  it("a session that is silent after an answer is not accused of its missing end as well", () => {
    const trace = session("start think wait ask accept proceed book booked think complete");
    expect(brokenRules(trace.slice(0, 5))).toEqual(["CONF-026 /4/message"]);
    expect(brokenRules(trace.slice(0, 6))).toEqual(["LIFE-003 /5/message"]);
  });

  it("both of two questions are answered in reverse order", () => {
    const trace = session("start think wait ask reject think complete");
    const two = trace.toSpliced(
      4,
      0,
      copyOfMessage(trace, "awaiting.confirmation", { reply_token: "rpl_2", action: "Cancel berth E12." }),
      copyOfMessage(trace, "confirmation.reply", { reply_token: "rpl_2", event_id: undefined }),
    );
    expect(brokenRules(two)).toEqual([]);
  });

  it("a late acceptance does not change a rejection", () => {
    const trace = session("request accepted start think wait ask lapse reach invoke return think complete", {
      invoke: { irreversible: true },
      return: { status: "error" },
    });
    const late = trace.toSpliced(
      7,
      0,
      copyOfMessage(session("start think wait ask accept proceed book booked think complete"), "confirmation.reply", {
        event_id: undefined,
        timestamp: "2026-01-15T09:31:30Z",
      }),
    );
    expect(brokenRules(late)).toEqual(["CONF-022 /9/message", "RPL-007 /7/message/timestamp"]);
  });

  it("an event within five seconds is in time", () => {
    const trace = addTimes(session("start think wait ask reject think complete"), (index) =>
      index < 5 ? index : index + 4,
    );
    expect(brokenRules(trace)).toEqual([]);
    expect(
      brokenRules(trace.map((each, index) => (index === 5 ? { ...each, time: "2026-01-15T09:30:09.001Z" } : each))),
    ).toEqual(["CONF-023 /5/message SHOULD"]);
  });

  it("a reply of the wrong kind permits nothing, like in shipped producers", () => {
    const trace = session("start think wait ask accept proceed book booked think complete");
    const reply = { type: "clarification.reply", decision: undefined, response: "accept" };
    expect(brokenRules(varyMessages(trace, { 4: reply }))).toEqual([
      "TOOL-004 /6/message",
      "CONF-024 /7/message",
      "RPL-005 /4/message/reply_token",
    ]);
  });

  it("a reply that the question does not allow permits nothing", () => {
    const trace = session("start think wait ask accept proceed book booked think complete", {
      ask: { allowed_replies: ["reject"] },
    });
    expect(brokenRules(trace)).toEqual(["TOOL-004 /6/message", "CONF-024 /7/message", "RPL-006 /4/message/decision"]);
  });

  it("another agent may continue while a call is open", () => {
    const trace = session("start think reach invoke return think complete");
    const clerk = { producer: { agent_id: "tide-clerk" }, timestamp: "2026-01-15T09:30:04Z" };
    expect(brokenRules(trace.toSpliced(4, 0, copyOfMessage(trace, "state.changed", clerk)))).toEqual([]);
  });

  it("a session of another producer is recognized by its own start", () => {
    const [start, ...rest] = session("start think complete") as [JsonObject, ...JsonObject[]];
    expect(brokenRules([start, ...varyMessages(rest, { 0: { session_id: "sess_9" } })])).toEqual([
      "LIFE-005 /1/message/session_id",
    ]);
  });
});

describe("excess", () => {
  const every = (count: number, gap: number): number[] => Array.from({ length: count }, (_, index) => index * gap);
  it.each([
    ["one every 340 ms, at 3 a second", every(60, 340), 3, undefined],
    ["seven at once, at 3", every(7, 1), 3, false],
    ["eight at once, at 3", every(8, 1), 3, true],
    ["four at once, at 3", every(4, 1), 3, undefined],
    ["five at once, at 3", every(5, 1), 3, false],
    ["three at once after a pause, then one every 340 ms", [0, 5000, 5001, 5002, 5342, 5682, 6022], 3, false],
    ["20 at once, at 3", every(20, 1), 3, true],
    ["three a second for ten seconds, at 2", every(32, 333), 2, true],
    ["two a second for a minute, at 2", every(120, 500), 2, undefined],
    ["2.3 a second for a minute, at 2", every(140, 435), 2, true],
    ["nothing", [], 1, undefined],
  ])("of %s", (_, times, rate, isGrave) => {
    expect(excess(times, rate)?.isGrave).toBe(isGrave);
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
  ])("of %s is %d", (text, milliseconds) => expect(instant(text)).toBe(milliseconds));

  it.each(["1970-01-01", "1970-01-01T00:00:00", "1970-01-01 00:00:00Z", "", 7, null])("of %j is invalid", (text) => {
    expect(instant(text)).toBeUndefined();
  });
});

describe("a model", () => {
  it("accepts only named steps", () => {
    expect(walk(model(), ["start", "complete"])).toHaveLength(2);
    expect(() => walk(model(), ["start", "book"])).toThrow('no step "book" when idle');
  });

  it("ends on the shortest path, whatever was chosen", () => {
    expect(namesOf(model(), [])).toEqual(["start", "complete"]);
    expect(namesOf(model(), [0, 0]).at(-1)).toBe("complete");
  });
});
