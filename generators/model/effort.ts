/** Units of work after which the limit is checked again: some ten milliseconds. */
const checkInterval = 2000;

/** Counts work, in units of a few microseconds: a clock that goes alike on every machine. */
export class Effort {
  readonly #limit: number;
  readonly #isOver: () => boolean;
  #done = 0;
  #next = checkInterval;
  #stopped = false;
  #partLimit = Number.POSITIVE_INFINITY;

  /** `most`: units that are allowed. `isOver` may end the work earlier; it is asked from time to time. */
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

  /** Does a piece of work within a limit; returns whether the limit was enough. */
  within(units: number, work: () => void): boolean {
    this.#partLimit = this.#done + units;
    try {
      work();
      return this.#done <= this.#partLimit;
    } finally {
      this.#partLimit = Number.POSITIVE_INFINITY;
    }
  }

  /** Whether the allowed work is used up: searches give up from now on. */
  get isSpent(): boolean {
    return this.#stopped || this.#done > this.#limit || this.#done > this.#partLimit;
  }
}

/** The limit of each piece of work at first, and when it is resumed: so that a hard one does not keep the others from their turn. */
const rounds = [500_000, 5_000_000, Number.POSITIVE_INFINITY];

/**
 * Does pieces of work in their order, and those for which the time was too short once more after all others. `goesOn` is asked before each
 * piece, with how many are done. Returns how many pieces were begun. Without an effort each is done once, to its end.
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
