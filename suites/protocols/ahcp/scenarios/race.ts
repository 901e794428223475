import { setTimeout as sleep } from "node:timers/promises";
import type { ScenarioContext } from "../../../../schemas/index.ts";
import { ask } from "./messages.ts";
import { redAnswer, resolve, submit } from "./steps.ts";

/** Whether simultaneous resolutions have one winner. If not, races with other actions cannot be tested. */
export async function hasOneWinnerAtOnce(context: ScenarioContext): Promise<boolean> {
  const { id } = await submit(context, ask(context));
  const replies = await Promise.all(Array.from({ length: 6 }, () => resolve(context, id, redAnswer)));
  return replies.filter(({ applied }) => applied).length === 1;
}

/** Whether sequential resolutions have one winner. If not, a race between them cannot be tested. */
export async function hasOneWinnerInSequence(context: ScenarioContext): Promise<boolean> {
  const { id } = await submit(context, ask(context));
  const replies = [];
  for (const ending of [redAnswer, redAnswer, { resolution: "declined" }])
    replies.push(await resolve(context, id, ending));
  return replies.filter(({ applied }) => applied).length === 1;
}

/** A race is contested if the two actions have won at delays that differ by at most this many milliseconds. */
const closeMs = 8;

/**
 * Delays between two racing actions, in milliseconds. Because one action may take longer to reach the hub, the delays approach
 * the value at which the winner changes. Negative delays delay the first action.
 */
export class RaceDelays {
  #roundCount = 0;
  /** The longest delay with which the second action won. */
  #longestForSecond = Number.NEGATIVE_INFINITY;
  /** The shortest delay with which the first action won. */
  #shortestForFirst = Number.POSITIVE_INFINITY;

  nextDelay(): number {
    const round = this.#roundCount++;
    if (round < 3) return round;
    const [second, first] = [this.#longestForSecond, this.#shortestForFirst];
    if (first === Number.POSITIVE_INFINITY) return Math.min(256, Math.max(4, 2 * second));
    if (second === Number.NEGATIVE_INFINITY) return Math.max(-256, Math.min(-4, 2 * first));
    // If the limits are close together, vary the delay a little in each round.
    return Math.round((second + first) / 2) + (Math.abs(first - second) < 3 ? (round % 5) - 2 : 0);
  }

  recordWinner(delay: number, winner: "first" | "second"): void {
    if (winner === "first") this.#shortestForFirst = Math.min(this.#shortestForFirst, delay);
    else this.#longestForSecond = Math.max(this.#longestForSecond, delay);
  }

  /** Whether both actions have won at nearly the same delay. */
  get isContested(): boolean {
    return this.#shortestForFirst - this.#longestForSecond <= closeMs;
  }
}

/** Starts two actions, the second one `delay` milliseconds after the first, or before it if negative. */
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
