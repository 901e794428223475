import { describe, expect, it } from "vitest";
import { protocolNamed, type Result, type Scenario } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { ofSide, sidesOf } from "../../../running/scenarios/sides.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

const protocol = protocolNamed("aaep");

it("the scenarios list only rules of the catalogue, and have unique names", () => {
  const rules = new Set(protocol.rules.map(({ id }) => id));
  expect(scenarios.flatMap((scenario) => scenario.rules).filter((rule) => !rules.has(rule))).toEqual([]);
  expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
});

it("the scenarios cover the rules that the catalogue lists as covered by scenarios", () => {
  const playedRules = new Set(scenarios.flatMap(({ rules }) => rules));
  const coveredRules = protocol.rules.filter(({ status }) => "covered" in status && status.covered === "scenarios");
  expect(coveredRules.filter(({ id }) => !playedRules.has(id)).map(({ id }) => id)).toEqual([]);
  const uncoveredRules = protocol.rules.filter(({ id, status }) => playedRules.has(id) && !("covered" in status));
  expect(uncoveredRules.map(({ id }) => id)).toEqual([]);
});

/** The rules that the right reference does not show, with the reasons. */
const unshownRules: Record<string, string> = {
  "recorded-events/AAEP-LIFE-011": "no session.errored came",
  "reply-accepted-stays/AAEP-RPL-015": "accepted actions were carried out before a rejection could come",
  "reply-forwarded/AAEP-RPL-023": "only subscribers that can answer are asked",
};

/** The number of plays of each side. `TOUCHSTONE_RUNS=20` looks for flaky results. */
const runs = Number(process.env.TOUCHSTONE_RUNS ?? 1);
const plays = sidesOf(protocol).flatMap((side) =>
  Array.from({ length: runs }, (_, index) => [side, index + 1] as const),
);

it.concurrent.each(plays)(
  "the right %s conforms in all scenarios, seed %i",
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
    outcome === "skipped" && rule === "AAEP-BP-001" && why === "not enough events came in time to show a doubled rate"
  );
}

it.concurrent.each(["websocket", "socket"])(
  "finds nothing against the right producer over its %s",
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

describe.concurrent("over a WebSocket, a subscriber", () => {
  // The scenario that needs frames of text is left out.
  const played = ofSide(protocol, scenarios, "subscriber").filter(({ name }) => name !== "other-frames");
  const resultsOf = async (variant?: string): Promise<readonly Result[]> => {
    const { setting, close } = await live.open({ side: "subscriber", ...(variant === undefined ? {} : { variant }) });
    const options = { ...setting.options, binding: "websocket" };
    const own =
      variant === undefined ? played : played.filter(({ rules }) => rules.some((rule) => variant.includes(rule)));
    return playScenarios({ protocol, scenarios: own, setting: { ...setting, options }, seed: 5 }).finally(close);
  };

  it.concurrent("conforms in all scenarios if it is right", { timeout: 300_000 }, async () => {
    const results = await resultsOf();
    expect(results.filter(({ outcome }) => outcome !== "conforms").map(({ id, why }) => [id, why])).toEqual([]);
    expect(results.length).toBe(played.flatMap(({ rules }) => rules).length);
  });

  it.concurrent.each(["breaks-AAEP-RPL-021", "breaks-AAEP-HS-024", "breaks-AAEP-SUB-009"])(
    "is found: %s",
    async (variant) => {
      const results = await resultsOf(variant);
      const accused = results.filter(({ outcome }) => outcome === "violates").map(({ rule }) => `breaks-${rule}`);
      expect([...new Set(accused)]).toEqual([variant]);
    },
  );
});

it.concurrent("finds nothing against the right producer with only the hook that starts sessions", {
  timeout: 300_000,
}, async () => {
  const { setting, close } = await live.open({ side: "producer" });
  try {
    const { start } = setting.hooks ?? {};
    const hooks = start === undefined ? {} : { start };
    const played = ofSide(protocol, scenarios, "producer");
    const waited = new Map<string, number>();
    const onWaited = ({ name }: Scenario, time: number): void => void waited.set(name, (waited.get(name) ?? 0) + time);
    const alone = { ...setting, hooks };
    const results = await playScenarios({ protocol, scenarios: played, setting: alone, seed: 4, onWaited });
    const said = new Map(played.map(({ name, waits = 1000 }) => [name, waits]));
    expect([...waited].filter(([name, time]) => time > (said.get(name) ?? 0))).toEqual([]);
    expect([...waited.values()].some((time) => time > 1000)).toBe(true);
    const others = results.filter(({ outcome }) => outcome !== "conforms");
    expect(others.filter(({ outcome }) => outcome !== "skipped").map(({ id, why }) => [id, why])).toEqual([]);
    expect(others.map(({ rule }) => rule).sort()).toEqual([
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
