import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../../schemas/index.ts";
import { brokenRules } from "./broken-rules.fixture.ts";
import { numberEvents, sentOn, sessionOf } from "./session.ts";

const steps = "start think update wait ask reject think complete";
const allEvents = { event_filters: { include: ["aaep:agent.*", "*"] } };

const makeHandshake = (
  requestedTerms: JsonObject,
  honoredTerms: JsonObject = requestedTerms,
  canReply = true,
): JsonObject[] => {
  const replyTerms = { supports_confirmation_reply: canReply, supports_clarification_reply: canReply };
  return [
    {
      from: "subscriber",
      message: { type: "subscription.request", capabilities: { ...replyTerms, ...requestedTerms } },
    },
    {
      from: "producer",
      message: { type: "subscription.accepted", honored_capabilities: { ...replyTerms, ...honoredTerms } },
    },
  ];
};

const sessionWithout = (type: string): JsonObject[] =>
  numberEvents(sessionOf(steps)).filter(({ message }) => (message as JsonObject).type !== type);

const findBrokenRules = (trace: JsonObject[], rule = "ENV-026"): string[] =>
  brokenRules(trace).filter((brokenRule) => brokenRule.startsWith(rule));

describe("a missing number", () => {
  const progress = "aaep:agent.progress.updated";

  it("breaks the rule if no event is filtered out", () => {
    expect(findBrokenRules(sessionWithout(progress))).toHaveLength(1);
    expect(findBrokenRules([...makeHandshake(allEvents), ...sessionWithout(progress)])).toHaveLength(1);
  });

  it.each<[string, JsonObject[]]>([
    ["by default", makeHandshake({})],
    ["by the grant", makeHandshake(allEvents, { event_filters: { include: ["aaep:agent.*"] } })],
    ["by a grant without a request", makeHandshake({}, { event_filters: { include: ["aaep:agent.*"] } })],
    ["by the exclusions", makeHandshake({ event_filters: { include: ["*"], exclude: ["touchstone:*"] } })],
    ["by the request, if the answer was not recorded", makeHandshake({}).slice(0, 1)],
  ])("may belong to an event of an extension that is excluded %s", (_, terms) =>
    expect(findBrokenRules([...terms, ...sessionWithout(progress)])).toEqual([]),
  );

  it("may belong to a question, which a subscription that cannot answer does not receive", () => {
    const sessionWithoutQuestion = sessionWithout("aaep:agent.awaiting.confirmation");
    expect(findBrokenRules([...makeHandshake(allEvents, allEvents, false), ...sessionWithoutQuestion])).toEqual([]);
    expect(findBrokenRules([...makeHandshake(allEvents), ...sessionWithoutQuestion])).toHaveLength(1);
  });

  it("may belong to an event of an extension that only another subscription requested", () => {
    const numberedSession = numberEvents(sessionOf(steps));
    const [firstEntry, ...otherEntries] = sentOn("a", [...makeHandshake(allEvents), ...numberedSession]);
    const asExtensionEvent = (event: JsonObject): JsonObject => ({
      ...event,
      message: { ...(event.message as JsonObject), type: "touchstone:tide.turned" },
    });
    const isProgress = ({ message }: JsonObject): boolean => (message as JsonObject).type === progress;
    const fullSubscription = [
      firstEntry as JsonObject,
      ...otherEntries.map((entry) => (isProgress(entry) ? asExtensionEvent(entry) : entry)),
    ];
    const otherSubscription = (terms: JsonObject): JsonObject[] =>
      sentOn("b", [...makeHandshake(terms), ...sessionWithout(progress)]);
    expect(findBrokenRules([...fullSubscription, ...otherSubscription({})], "TRN-005")).toEqual([]);
    expect(findBrokenRules([...fullSubscription, ...otherSubscription(allEvents)], "TRN-005")).toHaveLength(1);
  });
});

describe("a session that is already running when a subscription begins", () => {
  const [, secondSession] = [1, 2].map((number) =>
    numberEvents(sessionOf("start think update complete")).map((entry) => ({
      ...entry,
      message: { ...(entry.message as JsonObject), session_id: `sess_${number}`, event_id: undefined },
    })),
  );
  const runningSession = (secondSession as unknown as JsonObject[]).slice(1);

  it("need not have number 0 or a start, even if another session was seen before", () => {
    const numberedSession = numberEvents(sessionOf(steps));
    expect(findBrokenRules([...makeHandshake(allEvents), ...numberedSession, ...runningSession])).toEqual([]);
    expect(findBrokenRules([...makeHandshake(allEvents), ...numberedSession, ...runningSession], "LIFE-001")).toEqual(
      [],
    );
    expect(findBrokenRules([...numberedSession, ...runningSession], "LIFE-001")).toHaveLength(1);
  });
});
