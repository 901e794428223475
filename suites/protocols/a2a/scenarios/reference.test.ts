import { expect, it } from "vitest";
import { protocolNamed } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { ofSide } from "../../../running/scenarios/sides.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

const protocol = protocolNamed("a2a");

it("names only rules of the catalogue in its scenarios, and has unique scenario names", () => {
  const rules = new Set(protocol.rules.map(({ id }) => id));
  expect(scenarios.flatMap((scenario) => scenario.rules).filter((rule) => !rules.has(rule))).toEqual([]);
  expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
});

it("covers exactly the rules that the catalogue assigns to scenarios", () => {
  const own = new Set(scenarios.flatMap(({ rules }) => rules));
  const said = protocol.rules.filter(({ status }) => "covered" in status && status.covered === "scenarios");
  expect(said.filter(({ id }) => !own.has(id)).map(({ id }) => id)).toEqual([]);
  const silent = protocol.rules.filter(({ id, status }) => own.has(id) && !("covered" in status));
  expect(silent.map(({ id }) => id)).toEqual([]);
});

/** Scenarios for agents without a capability that the reference offers. */
const opposite =
  /\/scenarios\/(?:card-not-extended|streams-not-offered|pushes-not-offered|extension-required|extension-header)\//;

/** The scenarios mostly wait, so they are played in parts at the same time. */
const agent = ofSide(protocol, scenarios, "agent");
const parts = Array.from({ length: 6 }, (_, part) => agent.filter((_, index) => index % 6 === part));

it.concurrent.each(parts.map((part, index) => [index + 1, part] as const))(
  "finds that the reference conforms in all of them, part %i",
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
      const other = results.filter(({ outcome }) => outcome !== "conforms");
      expect(other.filter(({ id, outcome }) => outcome !== "skipped" || !opposite.test(id))).toEqual([]);
      expect(results.length).toBeGreaterThanOrEqual(part.flatMap(({ rules }) => rules).length);
    } finally {
      await close();
    }
  },
);

it.concurrent.each(["client", "receiver"])(
  "finds that the reference conforms as a %s, in each scenario",
  {
    timeout: 600_000,
  },
  async (side) => {
    const own = ofSide(protocol, scenarios, side);
    const { setting, close } = await live.open({ side });
    try {
      const results = await playScenarios({
        protocol,
        scenarios: own,
        setting: { ...setting, timeScale: 0.3 },
        seed: 1,
      });
      expect(results.filter(({ outcome }) => outcome !== "conforms")).toEqual([]);
      expect(results).toHaveLength(own.flatMap(({ rules }) => rules).length);
    } finally {
      await close();
    }
  },
);

it.concurrent("does not say that a receiver acts rightly if nothing shows what it acts upon", {
  timeout: 600_000,
}, async () => {
  const own = ofSide(protocol, scenarios, "receiver");
  const { setting, close } = await live.open({ side: "receiver", variant: "breaks-A2A-HOOK-014" });
  try {
    const { acted: _, ...hooks } = setting.hooks ?? {};
    const results = await playScenarios({ protocol, scenarios: own, setting: { ...setting, hooks }, seed: 1 });
    expect(results.find(({ rule }) => rule === "A2A-HOOK-014")?.outcome).toBe("skipped");
  } finally {
    await close();
  }
});

it.concurrent("deletes the configuration that an agent made, though it has another id than the client wanted", {
  timeout: 600_000,
}, async () => {
  const { setting, close } = await live.open({ variant: "breaks-A2A-PUSH-003-id" });
  try {
    const own = scenarios.filter(({ name }) => name === "webhook-deleted");
    const results = await playScenarios({ protocol, scenarios: own, setting: { ...setting, timeScale: 0.3 }, seed: 1 });
    expect(results.map(({ rule, outcome }) => [rule, outcome])).toEqual([["A2A-HOOK-007", "conforms"]]);
  } finally {
    await close();
  }
});

it.concurrent("does not accuse an agent that calls no webhook on this machine, unless it says that it does", {
  timeout: 600_000,
}, async () => {
  const { setting, close } = await live.open({ variant: "breaks-A2A-HOOK-001" });
  try {
    const own = scenarios.filter(({ name }) => name === "webhook-called");
    const { callsLoopback: _, ...options } = setting.options ?? {};
    const results = await playScenarios({
      protocol,
      scenarios: own,
      setting: { ...setting, options, timeScale: 0.1 },
      seed: 1,
    });
    expect(results.map(({ outcome }) => outcome)).toEqual(own.flatMap(({ rules }) => rules).map(() => "skipped"));
  } finally {
    await close();
  }
});

it.concurrent("says of an agent of 0.3 which version it speaks, and accuses it of its card alone", {
  timeout: 600_000,
}, async () => {
  const { setting, close } = await live.open({ variant: "breaks-A2A-CARD-001-former" });
  try {
    const own = scenarios.filter(({ name }) => ["card-served", "get-unknown", "rpc-ids"].includes(name));
    const results = await playScenarios({ protocol, scenarios: own, setting: { ...setting, timeScale: 0.1 }, seed: 1 });
    const [card, ...others] = results.filter(({ outcome }) => outcome !== "conforms");
    expect(card).toMatchObject({ rule: "A2A-CARD-001", outcome: "violates" });
    expect(card?.why).toContain("an agent card of version 0.3.0");
    expect(new Set(others.map(({ outcome, why }) => `${outcome}: ${why}`))).toEqual(
      new Set(["skipped: its card is one of version 0.3.0, so it offers nothing of version 1.0"]),
    );
  } finally {
    await close();
  }
});

it.concurrent("skips what an agent without recipes does not show, and accuses it of nothing", {
  timeout: 600_000,
}, async () => {
  const { setting, close } = await live.open({ choices: ["replies-with-messages"] });
  try {
    const { options: _, hooks: __, ...bare } = setting;
    const results = await playScenarios({ protocol, scenarios: agent, setting: { ...bare, timeScale: 0.3 }, seed: 2 });
    const accused = results.filter(({ outcome }) => !["conforms", "skipped"].includes(outcome));
    expect(accused.map(({ id, why }) => `${id}: ${why}`)).toEqual([]);
    expect(results.some(({ why = "" }) => why.includes("needs the option `finishing`"))).toBe(true);
  } finally {
    await close();
  }
});

/** Agents with choices that hide a mistake from the usual message, and the results that show it or explain why it is hidden. */
const hidden: [variant: string, choices: string[], scenario: string, rule: string, outcome: string, why: RegExp][] = [
  ["VER-006", ["replies-with-messages"], "version-kept", "VER-006", "violates", /^JSONRPC: GetTask /],
  ["SEC-001", ["replies-with-messages"], "file-of-a-part", "SEC-001", "warns", /fetches the file of a part/],
  ["CAN-001", ["quick-work", "one-binding"], "cancel-race", "CAN-005", "skipped", /^no cancellation .* was in time$/],
  ["ERR-004", ["one-binding"], "errors-written", "ERR-004", "skipped", /^no interface .* answers as HTTP\+JSON$/],
  ["AUTH-001", ["serves-strangers"], "access-demanded", "AUTH-001", "skipped", /^its card requires no credential$/],
  ["REST-009", ["odd-ids"], "rest-encoding", "REST-009", "violates", /whose id a path must encode/],
  ["ERR-005", ["rest-alone"], "errors-written", "ERR-005", "skipped", /^no interface .* answers as JSONRPC$/],
];

it.concurrent.each(hidden)(
  "does not say of an agent that breaks %s and %j that it conforms in %s",
  {
    timeout: 600_000,
  },
  async (variant, choices, scenario, rule, outcome, why) => {
    const { setting, close } = await live.open({ variant: `breaks-A2A-${variant}`, choices });
    try {
      const own = scenarios.filter(({ name }) => name === scenario);
      const results = await playScenarios({
        protocol,
        scenarios: own,
        setting: { ...setting, timeScale: 0.2 },
        seed: 1,
      });
      const found = results.find((each) => each.rule === `A2A-${rule}`);
      expect(found).toMatchObject({ outcome, why: expect.stringMatching(why) });
    } finally {
      await close();
    }
  },
);
