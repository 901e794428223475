import { type Protocol, protocolNamed, type Result } from "../../schemas/index.ts";
import { type Expected, expectedOf, playedOut, resultOf } from "../scenarios/run.ts";
import { addressOf } from "../targets/http/address.ts";
import { duplicates } from "./duplicates.ts";
import type { AgentScenario } from "./scenario.ts";
import { type AgentSetting, mustBeKey } from "./setting.ts";
import { signatures } from "./signatures.ts";
import { agentStageFor } from "./stage.ts";

/** The scenarios in which the suite is the hub. */
export const agentScenarios: readonly AgentScenario[] = [...signatures, ...duplicates];

/** What they can come to: one result for each of their rules. */
export function expectedOfAgent(protocol: Protocol, scenarios: readonly AgentScenario[]): Expected[] {
  return expectedOf(
    protocol,
    scenarios.map((scenario) => ({ ...scenario, kind: "agent", needs: [], play: async () => {} })),
  );
}

export interface AgentRun {
  setting: AgentSetting;
  /** Makes ids differ from those of earlier runs. */
  seed: number;
  signal?: AbortSignal;
  /** Absent: all of them. */
  scenarios?: readonly AgentScenario[];
  onResult?: (result: Result) => void;
}

/**
 * Pushes outcomes to an agent, right ones and others, and says rule by rule what it made of them. Throws a usage error for an address or
 * a key that is none.
 */
export async function playAgent(run: AgentRun): Promise<Result[]> {
  const { setting, seed, signal, scenarios = agentScenarios, onResult = () => {} } = run;
  const protocol: Protocol = protocolNamed("ahcp");
  const { origin } = addressOf(setting.url);
  mustBeKey(setting.key);
  const { Pool } = await import("undici");
  const pool = new Pool(origin, { pipelining: 1 });
  try {
    const results: Result[] = [];
    for (const scenario of scenarios) {
      if (signal?.aborted === true) break;
      const within = scenario.withinMs * Math.max(1, setting.timeScale ?? 1);
      const played = await playedOut(within, signal, (both) => {
        const { stage, findings } = agentStageFor({ setting, pool, seed, name: scenario.name, signal: both });
        return { findings, story: () => scenario.play(stage) };
      });
      for (const expected of expectedOfAgent(protocol, [scenario])) {
        const result = resultOf(expected, played, protocol);
        results.push(result);
        onResult(result);
      }
    }
    return results;
  } finally {
    await pool.destroy();
  }
}
