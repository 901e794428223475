import { setTimeout as sleep } from "node:timers/promises";
import type { ScenarioContext } from "../../../../schemas/index.ts";
import { ask } from "./messages.ts";
import { redAnswer, resolve, submit } from "./steps.ts";

/** Whether resolutions at once have one winner; when not, a race with something else says no more. */
export async function isAtomic(context: ScenarioContext): Promise<boolean> {
  const { id } = await submit(context, ask(context));
  const replies = await Promise.all(Array.from({ length: 6 }, () => resolve(context, id, redAnswer)));
  return replies.filter(({ applied }) => applied).length === 1;
}

/** Whether one resolution after the other has one winner; when not, a race between them says no more. */
export async function isFinal(context: ScenarioContext): Promise<boolean> {
  const { id } = await submit(context, ask(context));
  const replies = [];
  for (const given of [redAnswer, redAnswer, { resolution: "declined" }])
    replies.push(await resolve(context, id, given));
  return replies.filter(({ applied }) => applied).length === 1;
}

/** Milliseconds by which two rounds of a contested race differ at most that the one and the other act win. */
const close = 8;

/**
 * Delays between two acts that race, in milliseconds: they close in on the moment at which the winner changes, since one of both ways to the hub
 * may be longer. Negative ones hold back the first act.
 */
export class RaceDelays {
  #count = 0;
  /** The longest delay with which the second act won, and the shortest with which the first won. */
  #second = Number.NEGATIVE_INFINITY;
  #first = Number.POSITIVE_INFINITY;

  next(): number {
    const number = this.#count++;
    if (number < 3) return number;
    const [second, first] = [this.#second, this.#first];
    if (first === Number.POSITIVE_INFINITY) return Math.min(256, Math.max(4, 2 * second));
    if (second === Number.NEGATIVE_INFINITY) return Math.max(-256, Math.min(-4, 2 * first));
    // Where both were seen close together, the moment moves a little with each round.
    return Math.round((second + first) / 2) + (Math.abs(first - second) < 3 ? (number % 5) - 2 : 0);
  }

  note(delay: number, winner: "first" | "second"): void {
    if (winner === "first") this.#first = Math.min(this.#first, delay);
    else this.#second = Math.max(this.#second, delay);
  }

  /** Whether each act has won about as early as the other. */
  get isContested(): boolean {
    return this.#first - this.#second <= close;
  }
}

/** Starts two acts, the second so many milliseconds after the first, or before it if they are negative. */
export async function actTogether<One, Other>(
  delay: number,
  first: () => Promise<One>,
  second: () => Promise<Other>,
): Promise<[One, Other]> {
  const late = async <Value>(act: () => Promise<Value>, milliseconds: number): Promise<Value> => {
    if (milliseconds > 0) await sleep(milliseconds);
    return act();
  };
  return Promise.all([late(first, -delay), late(second, delay)]);
}
