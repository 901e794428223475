import { type Scenario, type Setting, TargetFailure } from "../../../schemas/index.ts";
import { hookFrom } from "./hooks.ts";
import { hookDeclines } from "./needs.ts";

export type Profiler = (scenario: Scenario | "as it was") => Promise<void>;

/** Makes a function that switches a target between profiles as scenarios need them. */
export function createProfiler({ hooks, profile: usualProfile = "development" }: Setting): Profiler {
  const hook = hooks?.profile;
  let currentProfile: string = usualProfile;
  return async (scenario) => {
    const needs = scenario === "as it was" ? [] : scenario.needs;
    const profile = (["production", "development"] as const).find((each) => needs.includes(each)) ?? usualProfile;
    if (hook === undefined || profile === currentProfile) return;
    const answer = await hookFrom("profile", hook)({ profile });
    if (typeof answer.skipped === "string") throw hookDeclines("profile", answer.skipped);
    if (answer.applied === false)
      throw new TargetFailure("errored", "hook", `the hook "profile" refused ${profile}`, {
        because: { kind: "hook-failed" },
      });
    currentProfile = profile;
  };
}
