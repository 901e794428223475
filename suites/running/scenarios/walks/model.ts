import type fc from "fast-check";
import type { Scenario, ScenarioContext } from "../../../../schemas/index.ts";

/** Records that a rule was checked, and ends the walk if it is broken. */
export type Must = (rule: string, holds: boolean, why: string) => void;

/** A model with which a party is compared step by step. `State` holds the knowledge of the model and the connections of a walk. */
export interface WalkModel<State, Step> extends Pick<Scenario, "rules" | "needs" | "side"> {
  /** Completes the sentence "this shows that …, on so many random walks". */
  says: string;
  /** Rules with breaches that leave the model unchanged: walks continue after a known breach. */
  lasting?: readonly string[];
  /** The maximum number of steps in a walk. */
  longest: number;
  /** The maximum average duration of a walk, in milliseconds. */
  eachMs: number;
  /** Begins a walk. `isAgain` is true while a failed walk is shortened, so that waits for a silent party can be shorter. */
  begin(context: ScenarioContext, isAgain: boolean): Promise<State> | State;
  /** Returns an arbitrary of the random steps that the party's setting allows. */
  steps(fast: typeof fc, context: ScenarioContext): fc.Arbitrary<Step>;
  /** Adapts a step to this walk: an index wraps around, so that it is valid for any number of items. Undefined if the step has no meaning here. */
  fitted(state: State, step: Step): Step | undefined;
  /** Performs a step with the party and with the model, and compares them. Throws a Divergence, or a TargetFailure if the party breaks down. */
  take(context: ScenarioContext, state: State, step: Step, must: Must): Promise<void>;
  /** Compares state that is visible only at the end. */
  finish?(context: ScenarioContext, state: State, must: Must): Promise<void>;
  /** Closes everything that is still open. It does not test any rule, and its errors are ignored. */
  tidy(context: ScenarioContext, state: State): Promise<void>;
  /** Formats a step as a person would write it. */
  textOf(step: Step): string;
  /** Parses a step; undefined for text that is not a step. */
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
