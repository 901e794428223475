import type fc from "fast-check";
import type { Scenario, ScenarioContext } from "../../../../schemas/index.ts";

/** Says which rule was looked at, and ends the walk when it does not hold. */
export type Must = (rule: string, holds: boolean, why: string) => void;

/** What a party is compared with, step by step. `State` is what the model knows, and the connections that a walk has. */
export interface WalkModel<State, Step> extends Pick<Scenario, "rules" | "needs" | "side"> {
  /** Completes the sentence "this shows that …, on so many random walks". */
  says: string;
  /** Rules whose breach leaves the model as it is: once they are known to be broken, walks go on behind one. */
  lasting?: readonly string[];
  /** Steps of a walk at most. */
  longest: number;
  /** Milliseconds that a walk takes at most, on average. */
  eachMs: number;
  /** A walk begins; `isAgain` while one that has failed is made shorter, where what a silence means is known already. */
  begin(context: ScenarioContext, isAgain: boolean): Promise<State> | State;
  /** Steps at random, as far as what the party is given goes. */
  steps(fast: typeof fc, context: ScenarioContext): fc.Arbitrary<Step>;
  /** The step as this walk takes it: what counts things goes round, so that it means something however many there are. Undefined when it says nothing here. */
  fitted(state: State, step: Step): Step | undefined;
  /** Takes a step with the party and with the model, and compares. Throws a Divergence, or a TargetFailure when the party breaks down. */
  take(context: ScenarioContext, state: State, step: Step, must: Must): Promise<void>;
  /** Compares what shows only at the end. */
  finish?(context: ScenarioContext, state: State, must: Must): Promise<void>;
  /** Ends what is still open. It says nothing about any rule, and whatever it throws is forgotten. */
  tidy(context: ScenarioContext, state: State): Promise<void>;
  /** A step as a person writes it. */
  textOf(step: Step): string;
  /** Undefined for what is no step. */
  stepIn(text: string): Step | undefined;
  /** Steps of each kind, for whoever wrote another. */
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
