/** Units of work after which the limit is checked again: some ten milliseconds. */
const checkInterval = 2000;

/** Counts work, in units of a few microseconds. The count is the same on every machine, unlike a clock. */
export class Effort {
  readonly #limit: number;
  readonly #isOver: () => boolean;
  #done = 0;
  #next = checkInterval;
  #stopped = false;
  #partLimit = Number.POSITIVE_INFINITY;

  /** `limit` is the number of units that are allowed. `isOver` is asked from time to time, and may end the work earlier. */
  constructor(limit: number, isOver: () => boolean = () => false) {
    this.#limit = limit;
    this.#isOver = isOver;
  }

  spend(units: number): void {
    this.#done += units;
    if (this.#done < this.#next || this.#stopped) return;
    this.#next = this.#done + checkInterval;
    this.#stopped = this.#isOver();
  }

  /** Does a piece of work within a limit. Returns whether the limit was enough. */
  within(units: number, work: () => void): boolean {
    this.#partLimit = this.#done + units;
    try {
      work();
      return this.#done <= this.#partLimit;
    } finally {
      this.#partLimit = Number.POSITIVE_INFINITY;
    }
  }

  /** Whether the allowed work is used up. Searches give up from then on. */
  get isSpent(): boolean {
    return this.#stopped || this.#done > this.#limit || this.#done > this.#partLimit;
  }
}

/** The limit of each piece of work in the first round and in later ones, so that a hard piece does not delay the others. */
const rounds = [500_000, 5_000_000, Number.POSITIVE_INFINITY];

/**
 * Does pieces of work in their order, and repeats those with too low a limit after all others. `goesOn` is asked before each piece, with the number of
 * pieces done. Returns how many pieces were started. Without an effort, each piece is done once, to its end.
 */
export function workInRounds<T>(
  pieces: readonly T[],
  effort: Effort | undefined,
  goesOn: (done: number) => boolean,
  work: (piece: T) => void,
): number {
  let left = pieces;
  for (const [round, units] of rounds.entries()) {
    const again: T[] = [];
    for (const [index, piece] of left.entries()) {
      if (!goesOn(round === 0 ? index : pieces.length - left.length + index))
        return round === 0 ? index : pieces.length;
      if (effort === undefined) work(piece);
      else if (!effort.within(units, () => work(piece))) again.push(piece);
    }
    left = again;
  }
  return pieces.length;
}
