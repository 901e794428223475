import type { AgentSetting, AgentSide, AgentStory, Protocol, Result, Scenario } from "../../../schemas/index.ts";
import { parseAddress } from "../../base/http/address.ts";
import { playUntilEnd } from "../scenarios/playthrough.ts";
import { expectedOf, resultOf } from "../scenarios/result.ts";
import { mustBeKey } from "./key.ts";

/** Converts the stories of an agent's pack to scenarios. */
export function asScenarios(stories: readonly AgentStory[]): Scenario[] {
  return stories.map((story) => ({ ...story, kind: "agent", needs: [], play: async () => {} }));
}

export interface AgentRun {
  protocol: Protocol;
  side: AgentSide;
  setting: AgentSetting;
  /** Makes ids differ from those of earlier runs. */
  seed: number;
  signal?: AbortSignal;
  /** All scenarios by default. */
  scenarios?: readonly AgentStory[];
  /** Called for each scenario when it begins. */
  onPlaying?: ((protocol: string, scenario: string) => void) | undefined;
  onResult?: (result: Result) => void;
}

/** Plays the part of the hub towards an agent, with correct and incorrect requests, and reports the agent's reactions rule by rule. Throws a usage error for an invalid address or key. */
export async function playAgent(run: AgentRun): Promise<Result[]> {
  const { protocol, side, setting, seed, signal, scenarios = side.scenarios, onResult = () => {} } = run;
  const { origin } = parseAddress(setting.url);
  mustBeKey(setting.key);
  const { Pool } = await import("undici");
  const pool = new Pool(origin, { pipelining: 1 });
  try {
    const results: Result[] = [];
    for (const scenario of scenarios) {
      if (signal?.aborted === true) break;
      run.onPlaying?.(protocol.name, scenario.name);
      const maxDuration = scenario.withinMs * Math.max(1, setting.timeScale ?? 1);
      const playthrough = await playUntilEnd(maxDuration, signal, (combinedSignal) =>
        side.begin(scenario.name, { protocol, setting, pool, seed, name: scenario.name, signal: combinedSignal }),
      );
      for (const expected of expectedOf(protocol, asScenarios([scenario]))) {
        const result = resultOf(expected, playthrough, protocol);
        results.push(result);
        onResult(result);
      }
    }
    return results;
  } finally {
    await pool.destroy();
  }
}
