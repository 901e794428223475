import { expect, it } from "vitest";
import { type Callback, type Hook, protocolsNamed, type Scenario, type ScenarioContext } from "../../schemas/index.ts";
import { partOf } from "../../schemas/part.fixture.ts";
import { packOf } from "../packs/pack/load.ts";
import { playScenarios } from "../running/scenarios/run.ts";
import { ofSide, sidesOf } from "../running/scenarios/sides.ts";

/** Milliseconds that a scenario may wait without saying so. */
const maxUntoldMs = 2000;
/** Real milliseconds for a message once it is due, and for the last one. A busy machine may miss the short ones; the long ones decide. */
const patienceMs = { short: [50, 300], long: [1000, 5000] } as const;

/** The scenario with a clock of which it does not know: what it would wait for passes by that clock, and is counted. */
function hurryScenario(
  scenario: Scenario,
  clock: Hook,
  [promptly, atLast]: readonly [number, number],
  waited: (milliseconds: number) => void,
): Scenario {
  const play = (given: ScenarioContext): Promise<void> => {
    const pass = async (milliseconds: number): Promise<void> => {
      waited(milliseconds);
      await clock({ advanceMs: Math.ceil(milliseconds) });
    };
    const come = async (callback: Callback, count: number, milliseconds: number): Promise<boolean> => {
      const within = (real: number): Promise<boolean> => callback.come(count, Math.min(real, milliseconds));
      for (let [left, step] = [milliseconds, 1000]; left > 0; left -= step, step *= 2) {
        if (await within(promptly)) return true;
        await clock({ advanceMs: Math.ceil(Math.min(step, left)) });
      }
      if (await within(atLast)) return true;
      waited(milliseconds);
      return false;
    };
    const now = async (): Promise<number> => Date.parse(String((await clock({})).now));
    return scenario.play({ ...given, pass, wait: pass, come, now });
  };
  return { ...scenario, play };
}

const sides = protocolsNamed("all").flatMap((protocol) => sidesOf(protocol).map((side) => ({ protocol, side })));

// Most of the time they wait for what does not come.
it.concurrent.each(sides)(
  "every scenario of $protocol.name says how long it waits for a $side without a clock",
  {
    timeout: 600_000,
  },
  async ({ protocol, side }) => {
    const pack = await packOf(protocol);
    const [scenarios, live] = [(await pack.scenarios?.())?.scenarios ?? [], (await pack.live?.())?.live];
    if (live === undefined) throw new Error("there is no live reference");
    // A scenario that waits for what does not come takes seconds.
    const { cases: own } = partOf(ofSide(protocol, scenarios, side), ({ name }) => name);
    const excessive = async (played: readonly Scenario[], real: readonly [number, number]): Promise<Scenario[]> => {
      const { setting, close } = await live.open({ side });
      try {
        const { clock, ...hooks } = setting.hooks ?? {};
        const waited = new Map<string, number>();
        const count = ({ name }: Scenario, time: number): void => void waited.set(name, (waited.get(name) ?? 0) + time);
        const timed =
          typeof clock !== "function"
            ? played
            : played.map((scenario) => hurryScenario(scenario, clock, real, (time) => count(scenario, time)));
        const run = { protocol, setting: { ...setting, hooks }, seed: 1, onWaited: count };
        // Some facts are measured once for all scenarios, such as the delay of an action: the first scenario does not pay for them.
        if (real === patienceMs.long) {
          await playScenarios({ ...run, scenarios: timed });
          waited.clear();
        }
        await playScenarios({ ...run, scenarios: timed });
        return played.filter(({ name, waits = maxUntoldMs }) => (waited.get(name) ?? 0) > waits);
      } finally {
        await close();
      }
    };
    const first = await excessive(own, patienceMs.short);
    const again = first.length === 0 ? [] : await excessive(first, patienceMs.long);
    expect(again.map(({ name }) => name)).toEqual([]);
  },
);
