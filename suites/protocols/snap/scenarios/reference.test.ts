import { expect, it } from "vitest";
import { protocolNamed } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { ofSide, sidesOf } from "../../../running/scenarios/sides.ts";
import { hooksOf, startAgent } from "../reference/agent/start.ts";
import { codes } from "../reference/agent/variants/change.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

const protocol = protocolNamed("snap");

it("lists only rules of the catalogue, and has unique names", () => {
  const rules = new Set(protocol.rules.map(({ id }) => id));
  expect(scenarios.flatMap((scenario) => scenario.rules).filter((rule) => !rules.has(rule))).toEqual([]);
  expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
});

it("covers the rules that the catalogue lists as covered by scenarios", () => {
  const coveredRules = new Set(scenarios.flatMap(({ rules }) => rules));
  const coveredInCatalogue = protocol.rules.filter(
    ({ status }) => "covered" in status && status.covered === "scenarios",
  );
  expect(coveredInCatalogue.filter(({ id }) => !coveredRules.has(id))).toEqual([]);
  const unmarkedRules = protocol.rules.filter(({ id, status }) => coveredRules.has(id) && !("covered" in status));
  expect(unmarkedRules.map(({ id }) => id)).toEqual([]);
});

/** Rules that only apply to an agent that supports the later profile, or limits the rate. */
const optionalRules = /\/SNAP-(?:A2S-\d+|HTTP-006)$/;

/** `TOUCHSTONE_RUNS=20` looks for flakes. */
const runs = Number(process.env.TOUCHSTONE_RUNS ?? 1);
const plays = sidesOf(protocol).flatMap((side) =>
  Array.from({ length: runs }, (_, index) => [side, index + 1] as const),
);

it.concurrent.each(plays)(
  "the reference %s conforms in all scenarios, seed %i",
  { timeout: 300_000 },
  async (side, seed) => {
    const { setting, close } = await live.open({ side });
    try {
      const chosenScenarios = ofSide(protocol, scenarios, side);
      const results = await playScenarios({ protocol, scenarios: chosenScenarios, setting, seed });
      const unexpectedResults = results.filter(({ outcome }) => outcome !== "conforms");
      expect(unexpectedResults.filter(({ id, outcome }) => outcome !== "skipped" || !optionalRules.test(id))).toEqual(
        [],
      );
      expect(results.length).toBe(chosenScenarios.flatMap(({ rules }) => rules).length);
    } finally {
      await close();
    }
  },
);

it.concurrent("requires the protocol's pauses of a requester, unless it was set up with others", async () => {
  const chosenScenarios = scenarios.filter(({ name }) => name === "retries-refused");
  const { setting, close } = await live.open({ side: "requester" });
  const { options: _, ...settingWithoutOptions } = setting;
  try {
    const outcomes = async (changedSetting: typeof setting) =>
      (await playScenarios({ protocol, scenarios: chosenScenarios, setting: changedSetting, seed: 1 })).map(
        ({ outcome }) => outcome,
      );
    expect(await outcomes(setting)).toEqual(["conforms"]);
    expect(await outcomes({ ...settingWithoutOptions, options: { pauses: [0.1, 0.2, 2] } })).toEqual(["warns"]);
    expect(await outcomes(settingWithoutOptions)).toEqual(["warns"]);
  } finally {
    await close();
  }
});

it.concurrent.each([
  ["supports the later profile", "a2s", /A2S/],
  ["limits the rate", "limited", /HTTP-006/],
  ["is in production", "public", /HTTP-011/],
  ["checks only now and then whether a ping is due", "leisurely", /WS-002/],
])("an agent that %s conforms", async (_, variant, rule) => {
  const chosenScenarios = ofSide(protocol, scenarios, "agent").filter((scenario) =>
    scenario.rules.some((id) => rule.test(id)),
  );
  const { setting, close } = await live.open({
    side: "agent",
    ...(variant === "public" ? { profile: "production" } : {}),
    ...(variant === "limited" ? { limits: { requestsPerMinute: 40 } } : {}),
    ...(variant === "a2s" ? { variant: "later-profile" } : {}),
    ...(variant === "leisurely" ? { variant } : {}),
  });
  try {
    const results = await playScenarios({ protocol, scenarios: chosenScenarios, setting, seed: 1 });
    expect(results.filter(({ outcome }) => outcome !== "conforms")).toEqual([]);
    expect(results.some(({ rule: id = "" }) => rule.test(id))).toBe(true);
  } finally {
    await close();
  }
});

it.concurrent("detects an agent that sends an empty payload only for a second cancellation", async () => {
  const { setting, close } = await live.open({
    side: "agent",
    variant: "breaks-SNAP-PAY-004",
    choices: ["cancels-once"],
  });
  try {
    const chosenScenarios = ofSide(protocol, scenarios, "agent").filter(({ name }) => name === "answers-payload");
    const results = await playScenarios({
      protocol,
      scenarios: chosenScenarios,
      setting,
      seed: 1,
      holdsExchanges: false,
    });
    expect(results.find(({ rule }) => rule === "SNAP-PAY-004")?.outcome).toBe("violates");
  } finally {
    await close();
  }
});

it.concurrent.each([
  ["violates", true],
  ["skipped", false],
] as const)(
  "reports %s for a used-up rate limit that has a different error code (movable clock: %s)",
  async (outcome, isMoved) => {
    const settings = { limits: { requestsPerMinute: 60 }, limitsInMessages: true };
    const { agent, url, close } = await startAgent(settings, codes("rate-limit", 1003));
    agent.requests.push(...Array.from({ length: 60 }, () => Date.now()));
    const setting = { url, hooks: isMoved ? hooksOf(agent) : {} };
    try {
      const chosenScenarios = scenarios.filter(({ name }) => name === "http-flood");
      const [floodResult, ...moreResults] = await playScenarios({
        protocol,
        scenarios: chosenScenarios,
        setting,
        seed: 1,
        holdsExchanges: false,
      });
      expect([floodResult?.outcome, moreResults]).toEqual([outcome, []]);
      if (!isMoved) expect(floodResult?.why).toContain("answers the first of 120 requests like all others");
    } finally {
      await close();
    }
  },
);

it.concurrent("does not report an agent that accepts none of our messages as unreachable", async () => {
  const refusalFor = () => ({ cause: "other-recipient", message: "The sender is not on the list." }) as const;
  const { url, close } = await startAgent({}, { refusalFor });
  try {
    const chosenScenarios = scenarios.filter(({ name }) => name === "http-media-type");
    const results = await playScenarios({
      protocol,
      scenarios: chosenScenarios,
      setting: { url },
      seed: 1,
      holdsExchanges: false,
    });
    expect(results.map(({ outcome, why }) => [outcome, why])).toEqual([["skipped", expect.stringContaining("list")]]);
  } finally {
    await close();
  }
});

it.concurrent("leaves the stream of a wrongly opened task to another rule", async () => {
  const { setting, close } = await live.open({ side: "agent", variant: "breaks-SNAP-TASK-006-opens" });
  try {
    const chosenScenarios = scenarios.filter(({ name }) => name === "streams-refused");
    const changedSetting = { ...setting, timeScale: 0.2 };
    const results = await playScenarios({
      protocol,
      scenarios: chosenScenarios,
      setting: changedSetting,
      seed: 1,
      holdsExchanges: false,
    });
    expect(results.map(({ outcome }) => outcome)).not.toContain("violates");
  } finally {
    await close();
  }
});
