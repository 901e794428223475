/** The number of units of work between two calls of `isOver`, about ten milliseconds. */
const checkInterval = 2000;

/** Counts work, in units of a few microseconds. The count is the same on every machine, unlike a clock. */
export class Effort {
  readonly #limit: number;
  readonly #isOver: () => boolean;
  #spent = 0;
  #nextCheck = checkInterval;
  #stopped = false;
  #partLimit = Number.POSITIVE_INFINITY;

  /** `limit` is the number of units that are allowed. `isOver` is called from time to time, and may end the work earlier. */
  constructor(limit: number, isOver: () => boolean = () => false) {
    this.#limit = limit;
    this.#isOver = isOver;
  }

  spend(units: number): void {
    this.#spent += units;
    if (this.#spent < this.#nextCheck || this.#stopped) return;
    this.#nextCheck = this.#spent + checkInterval;
    this.#stopped = this.#isOver();
  }

  /** Does a piece of work within a limit. Returns false if the limit was too low. */
  within(units: number, work: () => void): boolean {
    this.#partLimit = this.#spent + units;
    try {
      work();
      return this.#spent <= this.#partLimit;
    } finally {
      this.#partLimit = Number.POSITIVE_INFINITY;
    }
  }

  /** Whether the allowed work is used up. Searches give up from then on. */
  get isSpent(): boolean {
    return this.#stopped || this.#spent > this.#limit || this.#spent > this.#partLimit;
  }
}

/** The limit of each piece of work, by round, so that a hard piece does not delay the others. */
const rounds = [500_000, 5_000_000, Number.POSITIVE_INFINITY];

/**
 * Does pieces of work in order, and repeats those that exceeded their limit after all others. `mayContinue` is called before each piece, with the number
 * of pieces done. Returns how many pieces were started. Without an effort, each piece is done once, without a limit.
 */
export function workInRounds<T>(
  pieces: readonly T[],
  effort: Effort | undefined,
  mayContinue: (done: number) => boolean,
  work: (piece: T) => void,
): number {
  let remaining = pieces;
  for (const [round, units] of rounds.entries()) {
    const unfinished: T[] = [];
    for (const [index, piece] of remaining.entries()) {
      if (!mayContinue(round === 0 ? index : pieces.length - remaining.length + index))
        return round === 0 ? index : pieces.length;
      if (effort === undefined) work(piece);
      else if (!effort.within(units, () => work(piece))) unfinished.push(piece);
    }
    remaining = unfinished;
  }
  return pieces.length;
}
