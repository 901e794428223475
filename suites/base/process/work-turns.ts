import { reportAlive } from "./watchdog.ts";

/** The time given to one of several tasks. */
export interface WorkTurn {
  /** Its length in milliseconds. */
  length: number;
  /** Whether an earlier turn was too short. */
  isAgain: boolean;
  /** Whether `part` of the time is over. A task that ends early because of this may get another turn. */
  isOver(part: number): boolean;
}

/** A restart is only worth it if the new turn is longer by this factor. */
const worth = 1.5;

/** Runs several tasks within a shared time, in milliseconds. Each gets its share of the remaining time. Tasks that ended early are restarted if enough time remains to give them more than before. If there are not `least` milliseconds for each, the first tasks get that much and the others the rest: a few finished tasks are worth more than many begun ones. Returns each final result, and which tasks still ended early. */
export async function inTurns<T, Result>(
  works: readonly T[],
  milliseconds: number,
  work: (each: T, turn: WorkTurn) => Promise<Result>,
  { now = () => performance.now(), least = 0 }: { now?: () => number; least?: number } = {},
): Promise<{ results: Result[]; late: T[] }> {
  const startedAt = now();
  const all = works.map((each) => ({ each, length: 0, isBegun: false, isLate: true, result: undefined as Result }));
  const part = (count: number): number => (milliseconds - (now() - startedAt)) / count;
  /** The more tasks are restarted, the less time each has. */
  const worthStarting = (works: typeof all): typeof all => {
    for (const minTime of [least, least / 4, least / 16, 0])
      for (let count = works.length; count > 0; count -= 1) {
        const share = part(count);
        const affordable = works.filter(({ length }) => share > Math.max(minTime, length * worth));
        if (affordable.length >= count) return affordable.slice(0, count);
      }
    return [];
  };
  const first = worthStarting(all);
  for (
    let next = first.length > 0 ? first : all;
    next.length > 0;
    next = worthStarting(all.filter(({ isLate }) => isLate))
  ) {
    for (const [index, ownTurn] of next.entries()) {
      const from = now();
      const length = part(next.length - index);
      const isAgain = ownTurn.isBegun;
      Object.assign(ownTurn, { length, isBegun: true, isLate: false });
      const isOver = (share: number): boolean => {
        reportAlive();
        const isOver = now() - from > length * share;
        ownTurn.isLate ||= isOver;
        return isOver;
      };
      ownTurn.result = await work(ownTurn.each, { length, isAgain, isOver });
    }
  }
  return {
    results: all.map(({ result }) => result),
    late: all.filter(({ isLate }) => isLate).map(({ each }) => each),
  };
}
