/** Counts work, in units of a few microseconds: a clock that goes alike on every machine. */
export class Effort {
  readonly #most: number;
  #done = 0;

  /** `most`: units that are allowed. */
  constructor(most: number) {
    this.#most = most;
  }

  toil(units: number): void {
    this.#done += units;
  }

  /** Whether the work that was allowed is done: searches give up from now on. */
  get isSpent(): boolean {
    return this.#done > this.#most;
  }
}
