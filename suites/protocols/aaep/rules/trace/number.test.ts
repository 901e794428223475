import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../../schemas/index.ts";
import { brokenRules } from "./found.fixture.ts";
import { numberEvents, sentOn, session } from "./session.ts";

const story = "start think update wait ask reject think complete";
const all = { event_filters: { include: ["aaep:agent.*", "*"] } };

const handshake = (wanted: JsonObject, honored: JsonObject = wanted, supports = true): JsonObject[] => {
  const usual = { supports_confirmation_reply: supports, supports_clarification_reply: supports };
  return [
    { from: "subscriber", message: { type: "subscription.request", capabilities: { ...usual, ...wanted } } },
    { from: "producer", message: { type: "subscription.accepted", honored_capabilities: { ...usual, ...honored } } },
  ];
};

const without = (type: string): JsonObject[] =>
  numberEvents(session(story)).filter(({ message }) => (message as JsonObject).type !== type);

const found = (trace: JsonObject[], rule = "ENV-026"): string[] =>
  brokenRules(trace).filter((each) => each.startsWith(rule));

describe("a missing number", () => {
  const progress = "aaep:agent.progress.updated";

  it("is a fault if nothing is filtered", () => {
    expect(found(without(progress))).toHaveLength(1);
    expect(found([...handshake(all), ...without(progress)])).toHaveLength(1);
  });

  it.each<[string, JsonObject[]]>([
    ["by default", handshake({})],
    ["by the grant", handshake(all, { event_filters: { include: ["aaep:agent.*"] } })],
    ["by a grant where nothing was requested", handshake({}, { event_filters: { include: ["aaep:agent.*"] } })],
    ["by the exclusions", handshake({ event_filters: { include: ["*"], exclude: ["touchstone:*"] } })],
    ["by the request, if the answer was not recorded", handshake({}).slice(0, 1)],
  ])("may belong to an event of an extension that is excluded %s", (_, terms) =>
    expect(found([...terms, ...without(progress)])).toEqual([]),
  );

  it("may belong to a question, if a subscription that cannot answer is not asked", () => {
    const unasked = without("aaep:agent.awaiting.confirmation");
    expect(found([...handshake(all, all, false), ...unasked])).toEqual([]);
    expect(found([...handshake(all), ...unasked])).toHaveLength(1);
  });

  it("is not lost if it belongs to an event of an extension that only another subscription requested", () => {
    const whole = numberEvents(session(story));
    const [first, ...others] = sentOn("a", [...handshake(all), ...whole]);
    const own = (event: JsonObject): JsonObject => ({
      ...event,
      message: { ...(event.message as JsonObject), type: "touchstone:tide.turned" },
    });
    const isLost = ({ message }: JsonObject): boolean => (message as JsonObject).type === progress;
    const wanting = [first as JsonObject, ...others.map((each) => (isLost(each) ? own(each) : each))];
    const lacking = (terms: JsonObject): JsonObject[] => sentOn("b", [...handshake(terms), ...without(progress)]);
    expect(found([...wanting, ...lacking({})], "TRN-005")).toEqual([]);
    expect(found([...wanting, ...lacking(all)], "TRN-005")).toHaveLength(1);
  });
});

describe("a session that runs already when a subscription begins", () => {
  const [, second] = [1, 2].map((number) =>
    numberEvents(session("start think update complete")).map((entry) => ({
      ...entry,
      message: { ...(entry.message as JsonObject), session_id: `sess_${number}`, event_id: undefined },
    })),
  );
  const old = (second as unknown as JsonObject[]).slice(1);

  it("need not be numbered from 0, and need not start, even if another session was seen before", () => {
    const whole = numberEvents(session(story));
    expect(found([...handshake(all), ...whole, ...old])).toEqual([]);
    expect(found([...handshake(all), ...whole, ...old], "LIFE-001")).toEqual([]);
    expect(found([...whole, ...old], "LIFE-001")).toHaveLength(1);
  });
});
