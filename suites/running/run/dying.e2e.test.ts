import { describe, expect, it } from "vitest";
import { type Hook, type HookConfig, protocolsNamed, type Setting } from "../../../schemas/index.ts";
import { partOf } from "../../../schemas/part.fixture.ts";
import { packOf } from "../../packs/pack/load.ts";
import { expectedOf } from "../scenarios/result.ts";
import { playScenarios } from "../scenarios/run.ts";
import { ofSide, sidesOf } from "../scenarios/sides.ts";
import { referenceEnvironments } from "./environments.ts";

/** The ways in which a hook may misbehave. */
const brokenHooks: Record<string, Hook> = {
  hangs: () => new Promise(() => {}),
  "breaks down": () => {
    throw new Error("oh");
  },
};
const withinMs = 400;

const parties = protocolsNamed("all").flatMap((protocol) => sidesOf(protocol).map((side) => ({ protocol, side })));
const allCases = parties.flatMap(({ protocol, side }) =>
  Object.keys(brokenHooks).flatMap((failureMode) =>
    (failureMode === "hangs" ? [2] : [0, 1, 5]).map((after) => ({
      name: protocol.name,
      protocol,
      side,
      what: failureMode,
      after,
    })),
  ),
);
const { cases, said: partText } = partOf(
  allCases,
  ({ name, side, what, after }) => `${name} ${side} ${what} ${after}`,
  2,
);

describe(`a party driven by hooks (${partText})`, () => {
  it.each(cases)(
    "does not violate any rule if its hooks fail: $name, $side, $what after $after calls",
    {
      timeout: 300_000,
    },
    async ({ protocol, side, what: failureMode, after }) => {
      const { scenarios } = await packOf(protocol);
      const { setting, close } = await referenceEnvironments(undefined).open(protocol, side);
      let calls = 0;
      const breakHook = (hook: Hook | HookConfig): Hook | HookConfig => {
        if (typeof hook !== "function") return hook;
        return (question) => {
          calls += 1;
          return calls > after ? (brokenHooks[failureMode] as Hook)(question) : hook(question);
        };
      };
      const hooks = Object.fromEntries(
        Object.entries(setting.hooks ?? {}).map(([name, hook]) => [name, breakHook(hook)]),
      );
      const scenariosOfSide = ofSide(protocol, (await scenarios?.())?.scenarios ?? [], side);
      // A hanging party costs its whole time limit, and one with an address is reached in other ways as well.
      const isExpectedToFail = failureMode === "hangs" || setting.url !== undefined;
      const playedScenarios = scenariosOfSide
        .filter((_, index) => !isExpectedToFail || index % 7 === 0)
        .map((scenario) => ({ ...scenario, withinMs: failureMode === "hangs" ? withinMs : scenario.withinMs }));
      try {
        const brokenSetting: Setting = { ...setting, hooks, timeScale: 0.1 };
        const results = await playScenarios({
          protocol,
          scenarios: playedScenarios,
          setting: brokenSetting,
          seed: 1,
        });
        expect(results.map(({ id }) => id)).toEqual(expectedOf(protocol, playedScenarios).map(({ id }) => id));
        const falseViolations = results.filter(({ outcome }) => outcome === "violates" || outcome === "warns");
        expect(falseViolations.map(({ id, why }) => `${id}: ${why}`)).toEqual([]);
        const unansweredResults = results.filter(({ outcome }) => outcome === "errored" || outcome === "timed-out");
        // The short time limits of a hanging party may end before a slow machine is done.
        if (calls > after || failureMode !== "hangs") expect(unansweredResults.length > 0).toBe(calls > after);
      } finally {
        await close();
      }
    },
  );
});
