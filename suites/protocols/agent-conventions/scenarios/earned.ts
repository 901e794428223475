import { type Scenario, TargetSkip } from "../../../../schemas/index.ts";

/** The scenario with stricter results: a rule conforms only if it was played to the end, and a missing hook leaves each of its rules undecided. */
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
