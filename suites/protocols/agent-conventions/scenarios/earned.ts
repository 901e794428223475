import { type Scenario, TargetSkip } from "../../../../schemas/index.ts";

/** Skips all rules of a scenario if a hook is missing, even those that were partly tested and passed. */
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
