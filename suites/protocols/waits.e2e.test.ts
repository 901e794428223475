import { expect, it } from "vitest";
import { type Callback, type Hook, protocolsNamed, type Scenario, type ScenarioContext } from "../../schemas/index.ts";
import { partOf } from "../../schemas/part.fixture.ts";
import { packOf } from "../packs/pack/load.ts";
import { playScenarios } from "../running/scenarios/run.ts";
import { ofSide, sidesOf } from "../running/scenarios/sides.ts";

/** Milliseconds that a scenario may wait without declaring it. */
const maxUndeclaredMs = 2000;
/** Real milliseconds to wait for a message once it is due, and for the last one. A busy machine may exceed the short times, so the long ones decide. */
const patienceMs = { short: [50, 300], long: [1000, 5000] } as const;

/** Plays the scenario with a hidden clock: its waits advance that clock, and are counted. */
function hurryScenario(
  scenario: Scenario,
  clock: Hook,
  [shortMs, longMs]: readonly [number, number],
  recordWait: (milliseconds: number) => void,
): Scenario {
  const play = (context: ScenarioContext): Promise<void> => {
    const pass = async (milliseconds: number): Promise<void> => {
      recordWait(milliseconds);
      await clock({ advanceMs: Math.ceil(milliseconds) });
    };
    const come = async (callback: Callback, count: number, milliseconds: number): Promise<boolean> => {
      const hasArrived = (patience: number): Promise<boolean> => callback.come(count, Math.min(patience, milliseconds));
      for (let [remaining, step] = [milliseconds, 1000]; remaining > 0; remaining -= step, step *= 2) {
        if (await hasArrived(shortMs)) return true;
        await clock({ advanceMs: Math.ceil(Math.min(step, remaining)) });
      }
      if (await hasArrived(longMs)) return true;
      recordWait(milliseconds);
      return false;
    };
    const now = async (): Promise<number> => Date.parse(String((await clock({})).now));
    return scenario.play({ ...context, pass, wait: pass, come, now });
  };
  return { ...scenario, play };
}

const sides = protocolsNamed("all").flatMap((protocol) => sidesOf(protocol).map((side) => ({ protocol, side })));

// Concurrent, because they mostly wait for messages that do not arrive.
it.concurrent.each(sides)(
  "every scenario of $protocol.name declares how long it waits for a $side without a clock",
  {
    timeout: 600_000,
  },
  async ({ protocol, side }) => {
    const pack = await packOf(protocol);
    const [scenarios, live] = [(await pack.scenarios?.())?.scenarios ?? [], (await pack.live?.())?.live];
    if (live === undefined) throw new Error("there is no live reference");
    // A scenario needs seconds if it waits for a message that does not arrive.
    const { cases: chosenScenarios } = partOf(ofSide(protocol, scenarios, side), ({ name }) => name);
    const findExcessive = async (
      scenariosToPlay: readonly Scenario[],
      real: readonly [number, number],
    ): Promise<Scenario[]> => {
      const { setting, close } = await live.open({ side });
      try {
        const { clock, ...hooks } = setting.hooks ?? {};
        const waitedMs = new Map<string, number>();
        const addWait = ({ name }: Scenario, time: number): void =>
          void waitedMs.set(name, (waitedMs.get(name) ?? 0) + time);
        const timedScenarios =
          typeof clock !== "function"
            ? scenariosToPlay
            : scenariosToPlay.map((scenario) =>
                hurryScenario(scenario, clock, real, (time) => addWait(scenario, time)),
              );
        const run = { protocol, setting: { ...setting, hooks }, seed: 1, onWaited: addWait };
        // Some facts, such as the delay of an action, are measured once for all scenarios. This time must not count for the first scenario.
        if (real === patienceMs.long) {
          await playScenarios({ ...run, scenarios: timedScenarios });
          waitedMs.clear();
        }
        await playScenarios({ ...run, scenarios: timedScenarios });
        return scenariosToPlay.filter(({ name, waits = maxUndeclaredMs }) => (waitedMs.get(name) ?? 0) > waits);
      } finally {
        await close();
      }
    };
    const suspects = await findExcessive(chosenScenarios, patienceMs.short);
    const confirmed = suspects.length === 0 ? [] : await findExcessive(suspects, patienceMs.long);
    expect(confirmed.map(({ name }) => name)).toEqual([]);
  },
);
