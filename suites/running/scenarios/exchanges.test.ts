import { expect, it } from "vitest";
import { protocolNamed, type Result, type Scenario, TargetSkip } from "../../../schemas/index.ts";
import { playScenarios } from "./run.ts";
import { storySuite } from "./suite.ts";

const protocol = protocolNamed("aaep");

/** Creates a scenario about a different rule, during which the agent reports these events. */
function scenarioReporting(...events: readonly object[]): Scenario {
  return {
    name: "greeting",
    says: "it says something",
    rules: ["AAEP-HS-004"],
    needs: [],
    withinMs: 1000,
    side: "producer",
    async play(context) {
      for (const event of events)
        context.record({ from: "producer", to: "reader", text: JSON.stringify({ ...envelope, ...event }) });
      context.record({ from: "reader", to: "producer", text: JSON.stringify({ ...envelope, type: "aaep:nothing" }) });
      context.expect("AAEP-HS-004", true, "");
    },
  };
}

const envelope = {
  "@context": "https://aaep-protocol.org/context/v1",
  aaep_version: "1.0.0",
  session_id: "sess_1",
  producer: { agent_id: "harbour-desk" },
  timestamp: "2026-03-01T10:00:00.000Z",
  localization_hints: { primary_language: "en" },
  summary_normal: "A berth.",
};
const event = (name: string, number: number | undefined, members: object = {}): object => ({
  ...(/^(?:state|tool)/.test(name) ? { summary_terse: "Berth.", summary_detailed: "A berth at the quay." } : {}),
  type: `aaep:agent.${name}`,
  event_id: `evt_${name.replaceAll(/\W/g, "")}${number ?? "x"}`,
  ...members,
  ...(number === undefined ? {} : { sequence_number: number }),
});
const call = { tool: "look_up", tool_call_id: "call_1" };
const states = { from_state: "idle", to_state: "calling_tool" };
const backToThinking = { from_state: "calling_tool", to_state: "thinking" };

const correctEvents = [
  event("session.started", 0),
  event("state.changed", 1, states),
  event("tool.invoked", 2, call),
  event("tool.completed", 3, { ...call, status: "success" }),
  event("state.changed", 4, backToThinking),
  event("session.completed", 5),
];

async function exchangesOf(...events: readonly object[]): Promise<readonly Result[]> {
  // This token is part of every timestamp: if it were hidden before judging, the timestamps would be invalid.
  const setting = { side: "producer", credentials: { a: { agent: "harbour-desk", token: "2026-03-01T10" } } };
  const results = await playScenarios({
    protocol,
    scenarios: [scenarioReporting(...events)],
    setting,
    seed: 1,
    holdsExchanges: true,
  });
  expect(results[0]).toMatchObject({ rule: "AAEP-HS-004", outcome: "conforms" });
  return results.slice(1);
}

it("reports no breach for correct events that contain a secret, nor for messages of the suite", async () => {
  expect(await exchangesOf(...correctEvents)).toEqual([]);
});

it.each<[rule: string, events: readonly object[]]>([
  ["AAEP-ENV-027", correctEvents.map((each, index) => (index === 3 ? { ...each, sequence_number: undefined } : each))],
  [
    "AAEP-TOOL-006",
    [
      ...correctEvents.slice(0, 5),
      event("state.changed", 5, { from_state: "thinking", to_state: "calling_tool" }),
      event("tool.invoked", 6, call),
      event("tool.completed", 7, { ...call, status: "success" }),
      event("state.changed", 8, backToThinking),
      event("session.completed", 9),
    ],
  ],
  ["AAEP-ENV-008", [...correctEvents.slice(0, 5), event("purple", 5), event("session.completed", 6)]],
])(
  "reports a breach of %s in a scenario about a different rule, with the message that shows it",
  async (rule, events) => {
    const results = await exchangesOf(...events);
    expect(results.map((result) => [result.id, result.outcome])).toEqual([
      [`aaep/1.0/scenarios/exchanges/${rule}`, "violates"],
    ]);
    expect(results[0]?.why).toContain("in the scenario greeting: ");
    expect(results[0]?.trace?.filter(({ decisive }) => decisive === true)).toHaveLength(1);
    expect(JSON.stringify(results)).not.toContain("2026-03-01T10");
  },
);

it("does not attribute late messages of a timed-out scenario to the next scenario", async () => {
  const brokenEvents = correctEvents.map((each, index) =>
    index === 3 ? { ...each, sequence_number: undefined } : each,
  );
  let resume = (): void => {};
  const nextBegins = new Promise<void>((resolve) => {
    resume = resolve;
  });
  let lateRecord: Promise<void> | undefined;
  const endlessScenario: Scenario = {
    ...scenarioReporting(...correctEvents),
    name: "endless",
    withinMs: 20,
    play(context) {
      lateRecord = nextBegins.then(() => scenarioReporting(...brokenEvents).play(context));
      return lateRecord;
    },
  };
  const nextScenario: Scenario = {
    ...scenarioReporting(...correctEvents),
    async play(context) {
      resume();
      await lateRecord;
      await scenarioReporting(...correctEvents).play(context);
    },
  };
  const results = await playScenarios({
    protocol,
    scenarios: [endlessScenario, nextScenario],
    setting: { side: "producer" },
    seed: 1,
    holdsExchanges: true,
  });
  expect(results.map(({ id, outcome }) => `${id.slice(19)} ${outcome}`)).toEqual([
    "endless/AAEP-HS-004 timed-out",
    "greeting/AAEP-HS-004 conforms",
  ]);
});

it("reports nothing about a scenario that was cut off by the end of the run", async () => {
  const brokenEvents = correctEvents.map((each, index) =>
    index === 3 ? { ...each, sequence_number: undefined } : each,
  );
  const abortController = new AbortController();
  const results = await playScenarios({
    protocol,
    scenarios: [scenarioReporting(...brokenEvents)],
    setting: { side: "producer" },
    seed: 1,
    holdsExchanges: true,
    signal: abortController.signal,
    onFound: () => abortController.abort(new TargetSkip("it is over")),
  });
  expect(results).toEqual([]);
});

it("warns about a breach of a SHOULD rule, unless scenarios provoke it", async () => {
  const withoutTerse = correctEvents.map((each, index) => (index === 4 ? { ...each, summary_terse: undefined } : each));
  const withLongSummary = correctEvents.map((each, index) =>
    index === 2 ? { ...each, summary_detailed: "x".repeat(16_300) } : each,
  );
  const outcomesOf = async (events: readonly object[]): Promise<string[]> =>
    (await exchangesOf(...events)).map(({ rule, outcome, why }) => `${rule} ${outcome}: ${why}`);
  expect(await outcomesOf(withoutTerse)).toEqual([
    "AAEP-ENV-041 warns: in the scenario greeting: has no summary_terse",
  ]);
  expect(await outcomesOf(withLongSummary)).toEqual([]);
});

it("reports breaches with whole scenarios, and alone if `exchanges` or their id is selected", async () => {
  const brokenEvents = correctEvents.map((each, index) =>
    index === 3 ? { ...each, sequence_number: undefined } : each,
  );
  const play = (only: readonly string[], events: readonly object[] = brokenEvents) =>
    storySuite({
      protocol,
      scenarios: [scenarioReporting(...events)],
      only,
      target: { kind: "http", name: "it" },
      command: "play",
      play: async (wanted, onResult) => {
        await playScenarios({
          protocol,
          scenarios: wanted,
          setting: { side: "producer" },
          seed: 1,
          onResult,
          holdsExchanges: true,
        });
      },
    });
  const outcomesFor = async (only: readonly string[], events?: readonly object[]): Promise<string[]> =>
    (await play(only, events)).runs[0]?.results.map(({ id, outcome }) => `${id.slice(19)} ${outcome}`) ?? [];
  const bothResults = ["greeting/AAEP-HS-004 conforms", "exchanges/AAEP-ENV-027 violates"];
  expect(await outcomesFor([])).toEqual(bothResults);
  expect(await outcomesFor(["greeting"])).toEqual(bothResults);
  expect(await outcomesFor(["exchanges"])).toEqual(bothResults.slice(1));
  expect(await outcomesFor(["aaep/1.0/scenarios/exchanges/AAEP-ENV-027"])).toEqual(bothResults.slice(1));
  expect(await outcomesFor(["aaep/1.0/scenarios/exchanges/AAEP-ENV-027"], correctEvents)).toEqual([
    "exchanges/AAEP-ENV-027 skipped",
  ]);
});

it("neither repeats a scenario's own findings nor judges retold messages", async () => {
  const unnumberedEvents = correctEvents.map((each, index) =>
    index === 3 ? { ...each, sequence_number: undefined } : each,
  );
  const scenario = scenarioReporting(...unnumberedEvents);
  const results = async (scenario: Scenario): Promise<string[]> =>
    (await playScenarios({ protocol, scenarios: [scenario], setting: { side: "producer" }, seed: 1 })).map(
      ({ rule, outcome }) => `${rule} ${outcome}`,
    );
  const accusingScenario: Scenario = {
    ...scenario,
    rules: ["AAEP-ENV-027"],
    async play(context) {
      await scenario.play({ ...context, expect: () => {} });
      context.expect("AAEP-ENV-027", false, "one has no number");
    },
  };
  expect(await results(accusingScenario)).toEqual(["AAEP-ENV-027 violates"]);
  const retellingScenario: Scenario = {
    ...scenario,
    play: (context) => scenario.play({ ...context, record: (sent) => context.record({ ...sent, retold: true }) }),
  };
  expect(await results(retellingScenario)).toEqual(["AAEP-HS-004 conforms"]);
});

it("marks a breach as a consequence only if the same scenario has a breach that may be its cause", async () => {
  const irreversibleEvents = correctEvents.map((each, index) => (index === 2 ? { ...each, irreversible: true } : each));
  const actingScenario = (name: string, events: readonly object[]): Scenario => {
    const scenario = scenarioReporting(...events);
    return {
      ...scenario,
      name,
      rules: ["AAEP-RPL-008"],
      async play(context) {
        await scenario.play({ ...context, expect: () => {} });
        context.expect("AAEP-RPL-008", name === "sound", "it acts on an invalid reply");
      },
    };
  };
  const causesOf = async (...scenarios: Scenario[]): Promise<(string | undefined)[]> =>
    (await playScenarios({ protocol, scenarios, setting: { side: "producer" }, seed: 1, holdsExchanges: true }))
      .filter(({ rule }) => rule === "AAEP-TOOL-004")
      .map(({ follows }) => follows);
  expect(await causesOf(actingScenario("invalid", irreversibleEvents))).toEqual(["AAEP-RPL-008"]);
  expect(await causesOf(actingScenario("invalid", correctEvents), actingScenario("sound", irreversibleEvents))).toEqual(
    [undefined],
  );
});
