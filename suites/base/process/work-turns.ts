import { reportAlive } from "./watchdog.ts";

/** The time that one of several works has. */
export interface WorkTurn {
  /** How long it is, in milliseconds. */
  length: number;
  /** Whether there was another before it, which was too short. */
  isAgain: boolean;
  /** Whether `part` of the time is over. A work that ends early for it may have another turn. */
  isOver(part: number): boolean;
}

/** A longer turn has to be longer by this factor to be worth a restart. */
const worth = 1.5;

/**
 * Does several works within a shared time, in milliseconds. Each gets its part of the remaining time; works that ended early are restarted,
 * as many as then have enough time, more than before. If not all can have `least` milliseconds, the first have as much, and the others the
 * rest: some finished works are worth more than all begun. Returns each final result, and which ended early even so.
 */
export async function inTurns<T, Result>(
  works: readonly T[],
  milliseconds: number,
  work: (each: T, turn: WorkTurn) => Promise<Result>,
  { now = () => performance.now(), least = 0 }: { now?: () => number; least?: number } = {},
): Promise<{ results: Result[]; late: T[] }> {
  const begun = now();
  const all = works.map((each) => ({ each, length: 0, isBegun: false, isLate: true, result: undefined as Result }));
  const part = (many: number): number => (milliseconds - (now() - begun)) / many;
  /** The more there are, the less each has. */
  const worthStarting = (works: typeof all): typeof all => {
    for (const bound of [least, least / 4, least / 16, 0])
      for (let many = works.length; many > 0; many -= 1) {
        const found = works.filter(({ length }) => part(many) > Math.max(bound, length * worth));
        if (found.length >= many) return found.slice(0, many);
      }
    return [];
  };
  const first = worthStarting(all);
  for (
    let next = first.length > 0 ? first : all;
    next.length > 0;
    next = worthStarting(all.filter(({ isLate }) => isLate))
  ) {
    for (const [index, own] of next.entries()) {
      const from = now();
      const length = part(next.length - index);
      const isAgain = own.isBegun;
      Object.assign(own, { length, isBegun: true, isLate: false });
      const isOver = (share: number): boolean => {
        reportAlive();
        const isOver = now() - from > length * share;
        own.isLate ||= isOver;
        return isOver;
      };
      own.result = await work(own.each, { length, isAgain, isOver });
    }
  }
  return {
    results: all.map(({ result }) => result),
    late: all.filter(({ isLate }) => isLate).map(({ each }) => each),
  };
}
