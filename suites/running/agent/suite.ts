import type { AgentSetting, AgentSide, Report } from "../../../schemas/index.ts";
import { parseAddress, probe } from "../../base/http/address.ts";
import { secretsIn } from "../../base/secrets/index.ts";
import { type StorySuiteOptions, storySuite } from "../scenarios/suite.ts";
import { type AgentRun, asScenarios, playAgent } from "./run.ts";

export interface AgentSuiteOptions extends Omit<StorySuiteOptions, "scenarios" | "target" | "play"> {
  side: AgentSide;
  setting: AgentSetting;
  /** Makes ids differ from those of earlier runs. */
  seed: number;
  onPlaying?: AgentRun["onPlaying"];
}

/** Plays the scenarios of an agent and reports them like a run. Throws a usage error for an invalid address and for an empty selection; the report names an unreachable agent. */
export async function agentSuite({ side, setting, seed, onPlaying, ...options }: AgentSuiteOptions): Promise<Report> {
  const { protocol, signal } = options;
  const address = parseAddress(setting.url);
  return storySuite({
    ...options,
    scenarios: asScenarios(side.scenarios),
    target: { kind: "http", name: address.shown },
    secrets: () => secretsIn(setting),
    async play(selected, onResult) {
      await probe(address);
      const names = new Set(selected.map(({ name }) => name));
      const scenarios = side.scenarios.filter(({ name }) => names.has(name));
      await playAgent({
        protocol,
        side,
        setting,
        seed,
        scenarios,
        onPlaying,
        ...(signal === undefined ? {} : { signal }),
        onResult,
      });
    },
  });
}
