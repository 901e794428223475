import { type Scenario, TargetSkip } from "../../../../schemas/index.ts";

/** The scenario, in which a rule conforms only if it was played to its end: a hook that is not there leaves each of its rules open. */
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
