import type fc from "fast-check";
import type { Scenario, ScenarioContext } from "../../../../schemas/index.ts";

/** Records that a rule was checked, and ends the walk if it is broken. */
export type Must = (rule: string, holds: boolean, why: string) => void;

/** The model with which a party is compared, step by step. `State` is the knowledge of the model, and the connections of a walk. */
export interface WalkModel<State, Step> extends Pick<Scenario, "rules" | "needs" | "side"> {
  /** Completes the sentence "this shows that …, on so many random walks". */
  says: string;
  /** Rules with breaches that leave the model unchanged: walks continue after a known breach. */
  lasting?: readonly string[];
  /** The maximum number of steps in a walk. */
  longest: number;
  /** The longest time of a walk in milliseconds, on average. */
  eachMs: number;
  /** Begins a walk. `isAgain` is true while a failed walk is shortened, so that waits for a silent party can be shorter. */
  begin(context: ScenarioContext, isAgain: boolean): Promise<State> | State;
  /** Random steps, as far as the setting of the party allows them. */
  steps(fast: typeof fc, context: ScenarioContext): fc.Arbitrary<Step>;
  /** The step adapted to this walk: a counter wraps around, so that it is valid for any number of items. Undefined if the step has no meaning here. */
  fitted(state: State, step: Step): Step | undefined;
  /** Performs a step with the party and with the model, and compares them. Throws a Divergence, or a TargetFailure if the party breaks down. */
  take(context: ScenarioContext, state: State, step: Step, must: Must): Promise<void>;
  /** Compares the state that is visible only at the end. */
  finish?(context: ScenarioContext, state: State, must: Must): Promise<void>;
  /** Closes everything that is still open. It tests no rule, and its errors are ignored. */
  tidy(context: ScenarioContext, state: State): Promise<void>;
  /** A step as a person writes it. */
  textOf(step: Step): string;
  /** Undefined for text that is not a step. */
  stepIn(text: string): Step | undefined;
  /** Examples of each kind of step, for errors about unknown ones. */
  example: string;
}

/** Thrown if the party behaves differently from the model. */
export class Divergence extends Error {
  readonly rule: string;

  constructor(rule: string, why: string) {
    super(why);
    this.name = "Divergence";
    this.rule = rule;
  }
}
