import type fc from "fast-check";
import type { Scenario, ScenarioContext } from "../../../../schemas/index.ts";

/** Notes the checked rule, and ends the walk if it is broken. */
export type Must = (rule: string, holds: boolean, why: string) => void;

/** The model that a party is compared with, step by step. `State` is the knowledge of the model, and the connections of a walk. */
export interface WalkModel<State, Step> extends Pick<Scenario, "rules" | "needs" | "side"> {
  /** Completes the sentence "this shows that …, on so many random walks". */
  says: string;
  /** Rules with breaches that leave the model unchanged: after a known breach, walks continue. */
  lasting?: readonly string[];
  /** Steps of a walk at most. */
  longest: number;
  /** The longest time of a walk in milliseconds, on average. */
  eachMs: number;
  /** A walk begins; `isAgain` while a failed one is made shorter, when the meaning of silence is known already. */
  begin(context: ScenarioContext, isAgain: boolean): Promise<State> | State;
  /** Random steps, as far as the setting of the party allows. */
  steps(fast: typeof fc, context: ScenarioContext): fc.Arbitrary<Step>;
  /** The step in this walk: a counter wraps around, so that it means something for any number of things. Undefined if it has no meaning here. */
  fitted(state: State, step: Step): Step | undefined;
  /** Performs a step with the party and with the model, and compares. Throws a Divergence, or a TargetFailure if the party breaks down. */
  take(context: ScenarioContext, state: State, step: Step, must: Must): Promise<void>;
  /** Compares the state that shows only at the end. */
  finish?(context: ScenarioContext, state: State, must: Must): Promise<void>;
  /** Ends everything that is still open. It is not about any rule, and its errors are ignored. */
  tidy(context: ScenarioContext, state: State): Promise<void>;
  /** A step as a person writes it. */
  textOf(step: Step): string;
  /** Undefined for another value than a step. */
  stepIn(text: string): Step | undefined;
  /** Examples of each kind of step, for errors about another. */
  example: string;
}

/** The party does otherwise than the model. */
export class Divergence extends Error {
  readonly rule: string;

  constructor(rule: string, why: string) {
    super(why);
    this.name = "Divergence";
    this.rule = rule;
  }
}
