import { type Scenario, TargetSkip } from "../../../../schemas/index.ts";

/** Makes a scenario stricter: if a hook is missing, each of its rules is skipped, even if a part of the rule was tested and passed. */
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
