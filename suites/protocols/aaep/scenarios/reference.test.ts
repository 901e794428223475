import { describe, expect, it } from "vitest";
import { protocolNamed, type Result, type Scenario } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { ofSide, sidesOf } from "../../../running/scenarios/sides.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

const protocol = protocolNamed("aaep");

it("the scenarios have unique names and list only known rules", () => {
  const rules = new Set(protocol.rules.map(({ id }) => id));
  expect(scenarios.flatMap((scenario) => scenario.rules).filter((rule) => !rules.has(rule))).toEqual([]);
  expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
});

it("the scenarios cover every rule that is marked as covered by scenarios, and no unmarked rule", () => {
  const playedRules = new Set(scenarios.flatMap(({ rules }) => rules));
  const coveredRules = protocol.rules.filter(({ status }) => "covered" in status && status.covered === "scenarios");
  expect(coveredRules.filter(({ id }) => !playedRules.has(id)).map(({ id }) => id)).toEqual([]);
  const uncoveredRules = protocol.rules.filter(({ id, status }) => playedRules.has(id) && !("covered" in status));
  expect(uncoveredRules.map(({ id }) => id)).toEqual([]);
});

/** The rules that a run of the reference cannot show, with the reasons. */
const unshownRules: Record<string, string> = {
  "recorded-events/AAEP-LIFE-011": "no session.errored arrived",
  "reply-accepted-stays/AAEP-RPL-015": "accepted actions were carried out before a rejection could arrive",
  "reply-forwarded/AAEP-RPL-023": "only subscribers that can answer are asked",
};

/** The number of plays of each side. `TOUCHSTONE_RUNS=20` looks for flaky results. */
const runs = Number(process.env.TOUCHSTONE_RUNS ?? 1);
const plays = sidesOf(protocol).flatMap((side) =>
  Array.from({ length: runs }, (_, index) => [side, index + 1] as const),
);

it.concurrent.each(plays)(
  "the reference %s conforms in all scenarios with seed %i",
  { timeout: 300_000 },
  async (side, seed) => {
    const { setting, close } = await live.open({ side });
    try {
      const sideScenarios = ofSide(protocol, scenarios, side);
      const results = await playScenarios({ protocol, scenarios: sideScenarios, setting, seed });
      const otherResults = results.filter((result) => result.outcome !== "conforms" && !isDelayed(result));
      const otherOutcomes = otherResults.map(({ id, outcome, why = "" }) => [
        id.replace(/^.*scenarios\//, ""),
        `${outcome}: ${why}`,
      ]);
      const expectedOutcomes = Object.entries(unshownRules).map(([id, why]) => [id, `skipped: ${why}`]);
      const expectedOfSide = expectedOutcomes.filter(([id = ""]) =>
        sideScenarios.some(({ name }) => id.startsWith(`${name}/`)),
      );
      expect(otherOutcomes).toEqual(expectedOfSide);
      expect(results.length).toBe(sideScenarios.flatMap(({ rules }) => rules).length);
    } finally {
      await close();
    }
  },
);

/** Whether a rule was skipped because a busy machine delayed events. */
function isDelayed({ rule, outcome, why }: Result): boolean {
  return (
    outcome === "skipped" &&
    rule === "AAEP-BP-001" &&
    why === "not enough events arrived in time to show a doubled rate"
  );
}

it.concurrent.each(["websocket", "socket"])(
  "reports no violation for the reference producer over its %s",
  { timeout: 300_000 },
  async (binding) => {
    const { setting, close } = await live.open({ side: "producer" });
    try {
      const producerScenarios = ofSide(protocol, scenarios, "producer");
      const options = { ...setting.options, binding };
      const results = await playScenarios({
        protocol,
        scenarios: producerScenarios,
        setting: { ...setting, options },
        seed: 3,
      });
      const otherResults = results.filter((result) => result.outcome !== "conforms" && !isDelayed(result));
      expect(otherResults.filter(({ outcome }) => outcome !== "skipped").map(({ id, why }) => [id, why])).toEqual([]);
      // The producer's sessions do not fail, and the other rules need requests by POST or a resumed stream.
      expect(otherResults.map(({ rule }) => rule).sort()).toEqual([
        "AAEP-LIFE-011",
        "AAEP-RPL-012",
        "AAEP-RPL-014",
        "AAEP-RPL-023",
        "AAEP-SEC-003",
        "AAEP-TRN-011",
      ]);
    } finally {
      await close();
    }
  },
);

describe.concurrent("a subscriber over WebSocket", () => {
  // The scenario that needs frames of text is left out.
  const subscriberScenarios = ofSide(protocol, scenarios, "subscriber").filter(({ name }) => name !== "other-frames");
  const resultsOf = async (variant?: string): Promise<readonly Result[]> => {
    const { setting, close } = await live.open({ side: "subscriber", ...(variant === undefined ? {} : { variant }) });
    const options = { ...setting.options, binding: "websocket" };
    const variantScenarios =
      variant === undefined
        ? subscriberScenarios
        : subscriberScenarios.filter(({ rules }) => rules.some((rule) => variant.includes(rule)));
    return playScenarios({ protocol, scenarios: variantScenarios, setting: { ...setting, options }, seed: 5 }).finally(
      close,
    );
  };

  it.concurrent("conforms in all scenarios if it has no mistake", { timeout: 300_000 }, async () => {
    const results = await resultsOf();
    expect(results.filter(({ outcome }) => outcome !== "conforms").map(({ id, why }) => [id, why])).toEqual([]);
    expect(results.length).toBe(subscriberScenarios.flatMap(({ rules }) => rules).length);
  });

  it.concurrent.each(["breaks-AAEP-RPL-021", "breaks-AAEP-HS-024", "breaks-AAEP-SUB-009"])(
    "violates only its rule with the mistake %s",
    async (variant) => {
      const results = await resultsOf(variant);
      const violatedRules = results.filter(({ outcome }) => outcome === "violates").map(({ rule }) => `breaks-${rule}`);
      expect([...new Set(violatedRules)]).toEqual([variant]);
    },
  );
});

it.concurrent("reports no violation for the reference producer with only the hook that starts sessions", {
  timeout: 300_000,
}, async () => {
  const { setting, close } = await live.open({ side: "producer" });
  try {
    const { start } = setting.hooks ?? {};
    const hooks = start === undefined ? {} : { start };
    const producerScenarios = ofSide(protocol, scenarios, "producer");
    const waitedTimes = new Map<string, number>();
    const onWaited = ({ name }: Scenario, time: number): void =>
      void waitedTimes.set(name, (waitedTimes.get(name) ?? 0) + time);
    const limitedSetting = { ...setting, hooks };
    const results = await playScenarios({
      protocol,
      scenarios: producerScenarios,
      setting: limitedSetting,
      seed: 4,
      onWaited,
    });
    const statedWaits = new Map(producerScenarios.map(({ name, waits = 1000 }) => [name, waits]));
    expect([...waitedTimes].filter(([name, time]) => time > (statedWaits.get(name) ?? 0))).toEqual([]);
    expect([...waitedTimes.values()].some((time) => time > 1000)).toBe(true);
    const otherResults = results.filter(({ outcome }) => outcome !== "conforms");
    expect(otherResults.filter(({ outcome }) => outcome !== "skipped").map(({ id, why }) => [id, why])).toEqual([]);
    expect(otherResults.map(({ rule }) => rule).sort()).toEqual([
      // Without the other hooks, events need not show whether an action was carried out.
      "AAEP-CONF-020",
      "AAEP-CONF-020",
      "AAEP-CONF-022",
      "AAEP-CONF-023",
      "AAEP-CONF-027",
      "AAEP-CONF-031",
      "AAEP-CONF-032",
      "AAEP-LIFE-003",
      "AAEP-LIFE-004",
      "AAEP-LIFE-011",
      "AAEP-RPL-008",
      "AAEP-RPL-009",
      "AAEP-RPL-010",
      "AAEP-RPL-011",
      "AAEP-RPL-012",
      "AAEP-RPL-013",
      "AAEP-RPL-015",
      "AAEP-RPL-015",
      "AAEP-RPL-017",
      "AAEP-RPL-018",
      "AAEP-RPL-019",
      "AAEP-RPL-020",
      "AAEP-RPL-023",
      "AAEP-SEC-003",
      "AAEP-TMO-003",
      "AAEP-TOOL-003",
      "AAEP-TRN-006",
    ]);
  } finally {
    await close();
  }
});
