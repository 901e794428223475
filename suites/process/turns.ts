/** The time that one of several works has. */
export interface Turn {
  /** How long it is, in milliseconds. */
  length: number;
  /** Whether `part` of it is over. Whoever is told so ends that part early, and may have another turn. */
  isOver(part: number): boolean;
}

/** A longer turn has to be longer by so much to be worth beginning anew. */
const worth = 1.5;

/**
 * Does several works in a time that is theirs together, in milliseconds. Each has its part of what is left; those that ended early are done anew in
 * what the others left over, as long as that is more than they had. Gives what each came to in the end, and which ended early even so.
 */
export async function inTurns<T, Result>(
  works: readonly T[],
  milliseconds: number,
  work: (each: T, turn: Turn) => Promise<Result>,
  now: () => number = () => performance.now(),
): Promise<{ results: Result[]; late: T[] }> {
  const begun = now();
  const all = works.map((each) => ({ each, length: 0, isBegun: false, isLate: false, result: undefined as Result }));
  const part = (many: number): number => (milliseconds - (now() - begun)) / many;
  for (let next = all; next.length > 0; next = all.filter(({ isLate }) => isLate)) {
    const again = next.filter(({ length, isBegun }) => !isBegun || part(next.length) > Math.max(0, length) * worth);
    if (again.length === 0) break;
    for (const [index, own] of again.entries()) {
      const from = now();
      const length = part(again.length - index);
      Object.assign(own, { length, isBegun: true, isLate: false });
      const isOver = (share: number): boolean => {
        const isOver = now() - from > length * share;
        own.isLate ||= isOver;
        return isOver;
      };
      own.result = await work(own.each, { length, isOver });
    }
  }
  return {
    results: all.map(({ result }) => result),
    late: all.filter(({ isLate }) => isLate).map(({ each }) => each),
  };
}
