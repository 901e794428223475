import { expect, it } from "vitest";
import { protocolNamed, type Result } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { ofSide } from "../../../running/scenarios/sides.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

const protocol = protocolNamed("a2a");

it("has unique scenario names, and names only rules of the catalogue", () => {
  const rules = new Set(protocol.rules.map(({ id }) => id));
  expect(scenarios.flatMap((scenario) => scenario.rules).filter((rule) => !rules.has(rule))).toEqual([]);
  expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
});

it("covers exactly the rules that the catalogue assigns to scenarios", () => {
  const coveredRules = new Set(scenarios.flatMap(({ rules }) => rules));
  const assignedRules = protocol.rules.filter(({ status }) => "covered" in status && status.covered === "scenarios");
  expect(assignedRules.filter(({ id }) => !coveredRules.has(id)).map(({ id }) => id)).toEqual([]);
  const unassignedRules = protocol.rules.filter(({ id, status }) => coveredRules.has(id) && !("covered" in status));
  expect(unassignedRules.map(({ id }) => id)).toEqual([]);
});

/** Scenarios for agents without a capability that the reference offers. */
const oppositeScenarios =
  /\/scenarios\/(?:card-not-extended|streams-not-offered|pushes-not-offered|extension-required|extension-header)\//;

/** A race that the suite may lose on a busy machine. Then its rule is skipped. */
const raceScenario = /\/scenarios\/cancel-race\//;

/** The scenarios spend most of their time waiting, so six parts of them are played concurrently. */
const agentScenarios = ofSide(protocol, scenarios, "agent");
const parts = Array.from({ length: 6 }, (_, part) => agentScenarios.filter((_, index) => index % 6 === part));

it.concurrent.each(parts.map((part, index) => [index + 1, part] as const))(
  "the reference agent conforms in all scenarios, part %i",
  { timeout: 600_000 },
  async (_, part) => {
    const { setting, close } = await live.open();
    try {
      const results = await playScenarios({
        protocol,
        scenarios: part,
        setting: { ...setting, timeScale: 0.3 },
        seed: 1,
      });
      const deviations = results.filter(({ outcome }) => outcome !== "conforms");
      const maySkip = ({ id }: Result): boolean => oppositeScenarios.test(id) || raceScenario.test(id);
      expect(deviations.filter((result) => result.outcome !== "skipped" || !maySkip(result))).toEqual([]);
      expect(results.length).toBeGreaterThanOrEqual(part.flatMap(({ rules }) => rules).length);
    } finally {
      await close();
    }
  },
);

it.concurrent.each(["client", "receiver"])(
  "the reference %s conforms in all scenarios",
  {
    timeout: 600_000,
  },
  async (side) => {
    const sideScenarios = ofSide(protocol, scenarios, side);
    const { setting, close } = await live.open({ side });
    try {
      const results = await playScenarios({
        protocol,
        scenarios: sideScenarios,
        setting: { ...setting, timeScale: 0.3 },
        seed: 1,
      });
      expect(results.filter(({ outcome }) => outcome !== "conforms")).toEqual([]);
      expect(results).toHaveLength(sideScenarios.flatMap(({ rules }) => rules).length);
    } finally {
      await close();
    }
  },
);

it.concurrent("skips the rule about foreign tasks if the receiver has no hook `acted`", {
  timeout: 600_000,
}, async () => {
  const receiverScenarios = ofSide(protocol, scenarios, "receiver");
  const { setting, close } = await live.open({ side: "receiver", variant: "breaks-A2A-HOOK-014" });
  try {
    const { acted: _, ...hooks } = setting.hooks ?? {};
    const results = await playScenarios({
      protocol,
      scenarios: receiverScenarios,
      setting: { ...setting, hooks },
      seed: 1,
    });
    expect(results.find(({ rule }) => rule === "A2A-HOOK-014")?.outcome).toBe("skipped");
  } finally {
    await close();
  }
});

it.concurrent("deletes a configuration by the agent's id if the agent ignored the requested id", {
  timeout: 600_000,
}, async () => {
  const { setting, close } = await live.open({ variant: "breaks-A2A-PUSH-003-id" });
  try {
    const deletionScenarios = scenarios.filter(({ name }) => name === "webhook-deleted");
    const results = await playScenarios({
      protocol,
      scenarios: deletionScenarios,
      setting: { ...setting, timeScale: 0.3 },
      seed: 1,
    });
    expect(results.map(({ rule, outcome }) => [rule, outcome])).toEqual([["A2A-HOOK-007", "conforms"]]);
  } finally {
    await close();
  }
});

it.concurrent("skips an agent that calls no webhook on this machine, unless `callsLoopback` is set", {
  timeout: 600_000,
}, async () => {
  const { setting, close } = await live.open({ variant: "breaks-A2A-HOOK-001" });
  try {
    const callScenarios = scenarios.filter(({ name }) => name === "webhook-called");
    const { callsLoopback: _, ...options } = setting.options ?? {};
    const results = await playScenarios({
      protocol,
      scenarios: callScenarios,
      setting: { ...setting, options, timeScale: 0.1 },
      seed: 1,
    });
    expect(results.map(({ outcome }) => outcome)).toEqual(
      callScenarios.flatMap(({ rules }) => rules).map(() => "skipped"),
    );
  } finally {
    await close();
  }
});

it.concurrent("fails only the card of an agent of version 0.3, and names the version in every skip", {
  timeout: 600_000,
}, async () => {
  const { setting, close } = await live.open({ variant: "breaks-A2A-CARD-001-former" });
  try {
    const cardScenarios = scenarios.filter(({ name }) => ["card-served", "get-unknown", "rpc-ids"].includes(name));
    const results = await playScenarios({
      protocol,
      scenarios: cardScenarios,
      setting: { ...setting, timeScale: 0.1 },
      seed: 1,
    });
    const [cardResult, ...otherResults] = results.filter(({ outcome }) => outcome !== "conforms");
    expect(cardResult).toMatchObject({ rule: "A2A-CARD-001", outcome: "violates" });
    expect(cardResult?.why).toContain("an agent card of version 0.3.0");
    expect(new Set(otherResults.map(({ outcome, why }) => `${outcome}: ${why}`))).toEqual(
      new Set(["skipped: its card has version 0.3.0, so it does not offer version 1.0"]),
    );
  } finally {
    await close();
  }
});

it.concurrent("skips rules that need missing recipes, and fails none", {
  timeout: 600_000,
}, async () => {
  const { setting, close } = await live.open({ choices: ["replies-with-messages"] });
  try {
    const { options: _, hooks: __, ...bareSetting } = setting;
    const results = await playScenarios({
      protocol,
      scenarios: agentScenarios,
      setting: { ...bareSetting, timeScale: 0.3 },
      seed: 2,
    });
    const failedResults = results.filter(({ outcome }) => !["conforms", "skipped"].includes(outcome));
    expect(failedResults.map(({ id, why }) => `${id}: ${why}`)).toEqual([]);
    expect(results.some(({ why = "" }) => why.includes("needs the option `finishing`"))).toBe(true);
  } finally {
    await close();
  }
});

/** Agents whose choices hide a mistake from the usual message, with the result that shows or explains it. */
const hiddenMistakes: [
  variant: string,
  choices: string[],
  scenario: string,
  rule: string,
  outcome: string,
  why: RegExp,
][] = [
  ["VER-006", ["replies-with-messages"], "version-kept", "VER-006", "violates", /^JSONRPC: GetTask /],
  ["SEC-001", ["replies-with-messages"], "file-of-a-part", "SEC-001", "warns", /fetches the file of a part/],
  ["CAN-001", ["quick-work", "one-binding"], "cancel-race", "CAN-005", "skipped", /^no cancellation .* was in time$/],
  ["ERR-004", ["one-binding"], "errors-written", "ERR-004", "skipped", /^no interface .* answers as HTTP\+JSON$/],
  ["AUTH-001", ["serves-strangers"], "access-demanded", "AUTH-001", "skipped", /^its card requires no credential$/],
  ["REST-009", ["odd-ids"], "rest-encoding", "REST-009", "violates", /whose id a path must encode/],
  ["ERR-005", ["rest-alone"], "errors-written", "ERR-005", "skipped", /^no interface .* answers as JSONRPC$/],
];

it.concurrent.each(hiddenMistakes)(
  "an agent that breaks %s with the choices %j does not conform in %s",
  {
    timeout: 600_000,
  },
  async (variant, choices, scenario, rule, outcome, why) => {
    const { setting, close } = await live.open({ variant: `breaks-A2A-${variant}`, choices });
    try {
      const namedScenarios = scenarios.filter(({ name }) => name === scenario);
      const results = await playScenarios({
        protocol,
        scenarios: namedScenarios,
        setting: { ...setting, timeScale: 0.2 },
        seed: 1,
      });
      const ruleResult = results.find((result) => result.rule === `A2A-${rule}`);
      expect(ruleResult).toMatchObject({ outcome, why: expect.stringMatching(why) });
    } finally {
      await close();
    }
  },
);
