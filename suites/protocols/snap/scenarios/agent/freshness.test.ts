import { expect, it } from "vitest";
import { protocolNamed } from "../../../../../schemas/index.ts";
import { playScenarios } from "../../../../running/scenarios/index.ts";
import { live } from "../../reference/live.ts";
import { freshness } from "./freshness.ts";

const protocol = protocolNamed("snap");
const scenarios = freshness.filter(({ name }) => name === "freshness-remembered");

/** Plays against an agent whose clock moves further than requested, as happens if requests are slow. */
async function outcomeOf(variant: string | undefined, factor: number): Promise<string | undefined> {
  const agentOptions = variant === undefined ? {} : { variant };
  const { setting, close } = await live.open({ side: "agent", choices: ["consumes-ids"], ...agentOptions });
  const { clock, ...hooks } = setting.hooks ?? {};
  const moveClock = clock as (input: { advanceMs?: number }) => Promise<Record<string, never>>;
  const moveClockFurther = ({ advanceMs }: { advanceMs?: number }): unknown =>
    moveClock(advanceMs === undefined ? {} : { advanceMs: advanceMs * factor });
  try {
    const fastSetting = { ...setting, hooks: { ...hooks, clock: moveClockFurther as never } };
    const [result] = await playScenarios({ protocol, scenarios, setting: fastSetting, seed: 1, holdsExchanges: false });
    return result?.outcome;
  } finally {
    await close();
  }
}

it("accuses an agent that forgets an id too early, even if its message is too old to be sent again", async () => {
  expect(await outcomeOf("breaks-SNAP-REPLAY-001-stamp", 1.25)).toBe("violates");
});

it("does not accuse a correct agent that forgets an id after more than two minutes", async () => {
  expect(await outcomeOf(undefined, 3)).not.toBe("violates");
});
