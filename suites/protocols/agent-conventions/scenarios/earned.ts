import { type Scenario, TargetSkip } from "../../../../schemas/index.ts";

/** The scenario with stricter results: if a hook is missing, each rule of the scenario is skipped, even if part of it was seen to conform. */
export function earnScenario(scenario: Scenario): Scenario {
  return {
    ...scenario,
    async play(context) {
      try {
        await scenario.play(context);
      } catch (error) {
        if (error instanceof TargetSkip)
          for (const rule of scenario.rules) context.skip(rule, error.message, error.because);
        throw error;
      }
    },
  };
}
