import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { protocolNamed } from "../../schemas/index.ts";
import { partOf } from "../../schemas/part.fixture.ts";
import { packOf } from "../packs/pack/load.ts";
import { playScenarios } from "../running/scenarios/run.ts";

/** Milliseconds for which the event loop is blocked, once in each interval. */
const [blockedMs, intervalMs] = [300, 1000];

let timer: NodeJS.Timeout;
beforeAll(() => {
  vi.stubEnv("TOUCHSTONE_HELD_UP_MS", undefined);
  timer = setInterval(() => {
    const end = performance.now() + blockedMs;
    while (performance.now() < end);
  }, intervalMs);
});
afterAll(() => {
  vi.unstubAllEnvs();
  clearInterval(timer);
});

/** Scenarios with verdicts about times, and about messages that do not arrive, by protocol and side. */
const plays: [string, string | undefined, string[]][] = [
  ["ahcp", undefined, ["idempotency-race", "delivery-push"]],
  ["aaep", "producer", ["critical-at-once", "consent-cancelled"]],
  ["snap", "agent", ["streams-items"]],
  ["agent-conventions", "agent", ["agent-waits"]],
  ["a2a", "agent", ["streams-in-time"]],
  ["ma2h", "hub", ["mailbox-waiting"]],
];
const { cases, said } = partOf(plays, ([name]) => name, 3);

it.concurrent.each(cases)(
  `the suite does not accuse a conforming party of %s (%s) while its event loop is blocked (${said})`,
  { timeout: 120_000 },
  async (name, side, names) => {
    const protocol = protocolNamed(name);
    const pack = await packOf(protocol);
    const [scenarios, live] = [(await pack.scenarios?.())?.scenarios ?? [], (await pack.live?.())?.live];
    const namedScenarios = scenarios.filter((scenario) => names.includes(scenario.name));
    expect(namedScenarios.length).toBe(names.length);
    const environment = await live?.open({ ...(side === undefined ? {} : { side }), timeScale: 0.3 });
    const setting = { ...environment?.setting, timeScale: 0.3 };
    const results = await playScenarios({ protocol, scenarios: namedScenarios, setting, seed: 1 }).finally(
      environment?.close,
    );
    const failures = results.filter(({ outcome }) => ["violates", "errored", "timed-out"].includes(outcome));
    expect(failures.map(({ id, why }) => `${id}: ${why}`)).toEqual([]);
    expect(results.some(({ outcome }) => outcome === "conforms")).toBe(true);
  },
);
