import { expect, it } from "vitest";
import { type Callback, type Hook, protocolsNamed, type Scenario, type ScenarioContext } from "../../schemas/index.ts";
import { packOf } from "../pack/load.ts";
import { partOf } from "../process/part.fixture.ts";
import { playScenarios } from "../scenarios/run.ts";
import { ofSide, sidesOf } from "../scenarios/sides.ts";

/** Milliseconds that a scenario may wait without saying so. */
const untold = 2000;
/** Real milliseconds for what the target sends once it is due, and at last. */
const [promptly, atLast] = [50, 300];

/** The scenario with a clock of which it does not know: what it would wait for passes by that clock, and is counted. */
function hurried(scenario: Scenario, clock: Hook, waited: (milliseconds: number) => void): Scenario {
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
    const { setting, close } = await live.open({ side });
    try {
      const { clock, ...hooks } = setting.hooks ?? {};
      const waited = new Map<string, number>();
      const count = ({ name }: Scenario, time: number): void => void waited.set(name, (waited.get(name) ?? 0) + time);
      // A scenario that waits for what does not come takes seconds.
      const { cases: own } = partOf(ofSide(protocol, scenarios, side), ({ name }) => name);
      const played =
        typeof clock !== "function" ? own : own.map((each) => hurried(each, clock, (time) => count(each, time)));
      await playScenarios({ protocol, scenarios: played, setting: { ...setting, hooks }, seed: 1, onWaited: count });
      const said = new Map(own.map(({ name, waits = untold }) => [name, waits]));

      expect([...waited].filter(([name, time]) => time > (said.get(name) ?? 0))).toEqual([]);
    } finally {
      await close();
    }
  },
);
