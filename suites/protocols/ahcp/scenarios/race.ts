import { setTimeout as sleep } from "node:timers/promises";
import type { ScenarioContext } from "../../../../schemas/index.ts";
import { ask } from "./messages.ts";
import { redAnswer, resolve, submit } from "./steps.ts";

/** Whether simultaneous resolutions have one winner; if not, a race with something else shows no more. */
export async function hasOneWinnerAtOnce(context: ScenarioContext): Promise<boolean> {
  const { id } = await submit(context, ask(context));
  const replies = await Promise.all(Array.from({ length: 6 }, () => resolve(context, id, redAnswer)));
  return replies.filter(({ applied }) => applied).length === 1;
}

/** Whether successive resolutions have one winner; if not, a race between them shows no more. */
export async function hasOneWinnerInSequence(context: ScenarioContext): Promise<boolean> {
  const { id } = await submit(context, ask(context));
  const replies = [];
  for (const ending of [redAnswer, redAnswer, { resolution: "declined" }])
    replies.push(await resolve(context, id, ending));
  return replies.filter(({ applied }) => applied).length === 1;
}

/** The maximum difference in milliseconds between two rounds of a contested race that the two actions win. */
const closeMs = 8;

/**
 * Delays between two racing actions, in milliseconds. They approach the moment at which the winner changes, since one of them may take longer to
 * reach the hub. Negative ones delay the first action.
 */
export class RaceDelays {
  #count = 0;
  /** The longest delay with which the second action won, and the shortest with which the first won. */
  #second = Number.NEGATIVE_INFINITY;
  #first = Number.POSITIVE_INFINITY;

  next(): number {
    const number = this.#count++;
    if (number < 3) return number;
    const [second, first] = [this.#second, this.#first];
    if (first === Number.POSITIVE_INFINITY) return Math.min(256, Math.max(4, 2 * second));
    if (second === Number.NEGATIVE_INFINITY) return Math.max(-256, Math.min(-4, 2 * first));
    // If both were seen close together, the delay varies a little with each round.
    return Math.round((second + first) / 2) + (Math.abs(first - second) < 3 ? (number % 5) - 2 : 0);
  }

  note(delay: number, winner: "first" | "second"): void {
    if (winner === "first") this.#first = Math.min(this.#first, delay);
    else this.#second = Math.max(this.#second, delay);
  }

  /** Whether each action has won at nearly the same delay as the other. */
  get isContested(): boolean {
    return this.#first - this.#second <= closeMs;
  }
}

/** Starts two actions, the second these milliseconds after the first, or before it if negative. */
export async function actTogether<One, Other>(
  delay: number,
  first: () => Promise<One>,
  second: () => Promise<Other>,
): Promise<[One, Other]> {
  const startLater = async <Value>(act: () => Promise<Value>, milliseconds: number): Promise<Value> => {
    if (milliseconds > 0) await sleep(milliseconds);
    return act();
  };
  return Promise.all([startLater(first, -delay), startLater(second, delay)]);
}
