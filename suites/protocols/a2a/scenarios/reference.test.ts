import { expect, it } from "vitest";
import { protocolNamed } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

const protocol = protocolNamed("a2a");

it("knows scenarios for rules of the catalogue only, each by a name of its own", () => {
  const rules = new Set(protocol.rules.map(({ id }) => id));
  expect(scenarios.flatMap((scenario) => scenario.rules).filter((rule) => !rules.has(rule))).toEqual([]);
  expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
});

it("covers what the catalogue says is covered by scenarios", () => {
  const own = new Set(scenarios.flatMap(({ rules }) => rules));
  const said = protocol.rules.filter(({ status }) => "covered" in status && status.covered === "scenarios");
  expect(said.filter(({ id }) => !own.has(id)).map(({ id }) => id)).toEqual([]);
  const silent = protocol.rules.filter(({ id, status }) => own.has(id) && !("covered" in status));
  expect(silent.map(({ id }) => id)).toEqual([]);
});

/** Scenarios that ask for the opposite of what the reference offers. */
const opposite =
  /\/scenarios\/(?:card-not-extended|streams-not-offered|pushes-not-offered|extension-required|extension-header)\//;

/** Most of the time is waiting: parts wait beside each other. */
const parts = Array.from({ length: 6 }, (_, part) => scenarios.filter((_, index) => index % 6 === part));

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

it.concurrent("skips what an agent without recipes does not show, and accuses it of nothing", {
  timeout: 600_000,
}, async () => {
  const { setting, close } = await live.open({ choices: ["replies-with-messages"] });
  try {
    const { options: _, hooks: __, ...bare } = setting;
    const results = await playScenarios({ protocol, scenarios, setting: { ...bare, timeScale: 0.3 }, seed: 2 });
    const accused = results.filter(({ outcome }) => !["conforms", "skipped"].includes(outcome));
    expect(accused.map(({ id, why }) => `${id}: ${why}`)).toEqual([]);
    expect(results.some(({ why = "" }) => why.includes("needs the option `finishing`"))).toBe(true);
  } finally {
    await close();
  }
});
