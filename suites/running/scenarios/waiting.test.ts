import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, vi } from "vitest";
import { protocolNamed, type Scenario, type Setting } from "../../../schemas/index.ts";
import { playScenarios } from "./run.ts";
import { playWithin, readClock, type WaitBounds, withoutClock } from "./waiting.ts";

const protocol = protocolNamed("ahcp");
const clock = (): { now: string } => ({ now: "2026-01-15T09:30:00Z" });

function scenario(name: string, members: Partial<Scenario> = {}): Scenario {
  const ownTimers = { says: "…", rules: ["AHCP-CAN-004"], needs: [], withinMs: 5000 };
  return { name, ...ownTimers, play: async (context) => context.expect("AHCP-CAN-004", true, ""), ...members };
}

const noWaits = { milliseconds: 0, scenarios: 0 };
const testScenarios = [
  scenario("prompt"),
  scenario("long", { waits: 60_000 }),
  scenario("longer", { waits: 80_000 }),
  scenario("impossible", { waits: 90_000, needs: ["delete"] }),
];

describe("the waits of a run", () => {
  it("are summed for the playable scenarios, unless the clock can be moved", () => {
    const waits = (setting: Setting): WaitBounds => playWithin(1_000_000, testScenarios, setting).waiting;
    expect(waits({})).toEqual({ milliseconds: 140_000, scenarios: 2, skipped: noWaits, perhaps: noWaits });
    expect(waits({ timeScale: 2 })).toEqual({
      milliseconds: 280_000,
      scenarios: 2,
      skipped: noWaits,
      perhaps: noWaits,
    });
    expect(waits({ hooks: { clock } })).toEqual({ ...noWaits, skipped: noWaits, perhaps: noWaits });
    const scenarioWithOwnTimers = scenario("own", { waits: 30_000, ownTimers: true });
    const possibleWaits = { milliseconds: 60_000, scenarios: 1 };
    const playWithClock = playWithin(0, [...testScenarios, scenarioWithOwnTimers], { hooks: { clock }, timeScale: 2 });
    expect(playWithClock.waiting).toEqual({ ...noWaits, skipped: noWaits, perhaps: possibleWaits });
    expect(playWithClock.isPlayed(scenarioWithOwnTimers)).toBe(true);
    const pushedScenario = scenario("pushed", { waits: 10_000, ownTimers: "pushes" });
    expect(playWithin(0, [scenarioWithOwnTimers, pushedScenario], { hooks: { clock } }).waiting).toMatchObject({
      perhaps: { milliseconds: 30_000, scenarios: 2 },
      sayable: ["pushes"],
    });
    expect(playWithin(0, [pushedScenario], {}).waiting.sayable).toBeUndefined();
    const answeredWaiting = playWithin(
      0,
      [scenarioWithOwnTimers, pushedScenario],
      { hooks: { clock } },
      { pushes: true },
    ).waiting;
    expect(answeredWaiting).toMatchObject({ perhaps: { milliseconds: 30_000, scenarios: 1 } });
    expect(answeredWaiting.sayable).toBeUndefined();
    const limitedScenarios = [
      scenario("pace", { reachesLimit: 60_000 }),
      scenario("no", { reachesLimit: 1, needs: ["delete"] }),
    ];
    expect(playWithin(0, limitedScenarios, { timeScale: 2 }).waiting.limited).toEqual({
      milliseconds: 60_000,
      scenarios: ["pace"],
    });
  });

  it("depend on the timers that the clock hook moves: the hook is called once, and an error means that it moves none", async () => {
    const pushedScenario = scenario("pushed", { waits: 10_000, ownTimers: "pushes" });
    const clock = vi.fn(async () => ({ now: "2026-01-01T00:00:00Z", pushes: true }));
    expect(await readClock(testScenarios, { hooks: { clock } })).toEqual({});
    expect(clock).not.toHaveBeenCalled();
    expect(await readClock([pushedScenario], { hooks: { clock } })).toMatchObject({ pushes: true });
    expect(clock.mock.calls).toEqual([[{}]]);
    clock.mockRejectedValue(new Error("down"));
    expect(await readClock([pushedScenario], { hooks: { clock } })).toEqual({});
  });

  it("are not needed for a party with a clock at its address", async () => {
    let status = 200;
    const server = createServer((request, response) => {
      response.writeHead(request.url === "/party/clock" ? status : 500).end("{}");
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const askingScenario = scenario("asking", { waits: 10_000, asksClock: true });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/party/`;
    expect(await withoutClock([...testScenarios, askingScenario], { url })).toEqual(testScenarios);
    status = 404;
    expect(await withoutClock([askingScenario], { url })).toEqual([askingScenario]);
    expect(await withoutClock([askingScenario], {})).toEqual([askingScenario]);
    server.close();
  });

  it("are granted to the shortest scenarios first, whatever their order in the list", () => {
    const { waiting: bounds, isPlayed } = playWithin(60_000, [...testScenarios].reverse(), {});
    const skippedBounds = { milliseconds: 80_000, scenarios: 1 };
    expect(bounds).toEqual({ milliseconds: 60_000, scenarios: 1, skipped: skippedBounds, perhaps: noWaits });
    expect(testScenarios.filter((each) => !isPlayed(each)).map(({ name }) => name)).toEqual(["longer"]);
  });

  it("are announced before the first scenario, and scenarios that would exceed the limit are skipped", async () => {
    const reportedBounds: unknown[] = [];
    const play = (setting: Setting, maxWait: number): Promise<{ outcome: string; why?: string }[]> =>
      playScenarios({
        protocol,
        scenarios: testScenarios,
        setting,
        seed: 1,
        maxWait,
        onWaiting: (waiting) => reportedBounds.push(waiting),
        onResult: ({ id }) => reportedBounds.push(id.split("/")[3]),
      });
    await playScenarios({
      protocol,
      setting: {},
      seed: 1,
      scenarios: [scenario("pace", { reachesLimit: 60_000 })],
      onWaiting: (waiting) => reportedBounds.push(waiting.limited?.scenarios),
    });
    expect(reportedBounds.splice(0)).toEqual([["pace"]]);
    const results = await play({}, 0);
    expect(reportedBounds).toEqual([
      { ...noWaits, skipped: { milliseconds: 140_000, scenarios: 2 }, perhaps: noWaits },
      "prompt",
      "long",
      "longer",
      "impossible",
    ]);
    expect(results.map(({ outcome, why }) => why ?? outcome)).toEqual([
      "conforms",
      'waits for 60 s without the hook "clock" (--max-wait)',
      'waits for 80 s without the hook "clock" (--max-wait)',
      'needs the hook "delete"',
    ]);
    reportedBounds.length = 0;
    const movedPlay = await play({ hooks: { clock } }, 0);
    expect(reportedBounds[0]).toBe("prompt");
    expect(movedPlay.map(({ outcome }) => outcome)).toEqual(["conforms", "conforms", "conforms", "skipped"]);
  });

  it("are reported while scenarios are played, and are never shortened for the target", async () => {
    const waitTimes: number[] = [];
    const waitingScenario = scenario("passing", {
      async play(context) {
        await context.pass(40);
        await context.wait(1000);
        context.expect("AHCP-CAN-004", true, "");
      },
    });
    const startedAt = performance.now();
    const setting = { timeScale: 0.01 };
    const onWaited = (_: Scenario, milliseconds: number): void => void waitTimes.push(milliseconds);
    await playScenarios({ protocol, scenarios: [waitingScenario], setting, seed: 1, onWaited });
    expect(waitTimes).toEqual([40, 1000]);
    expect(performance.now() - startedAt).toBeGreaterThan(38);
  });
});
