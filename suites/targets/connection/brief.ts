/** Lives in a row that ended after one answer, after which a program is expected to end after each. */
const few = 3;

/**
 * Distinguishes a program that ends by itself after an answer, and is right but slow, from a program that a question crashes. Each life that ends
 * so has closed a question: to ask the others again comes to an end.
 */
export class Brief {
  #answers = 0;
  #lives = 0;
  readonly #onKnown: (() => void) | undefined;

  /** `onKnown` is called once the program is known to end after each answer. */
  constructor(onKnown: (() => void) | undefined) {
    this.#onKnown = onKnown;
  }

  answered(): void {
    this.#answers += 1;
  }

  /** Whether a life has ended by its answers, and not by an open question; `code` is that of the worker. */
  ended(code: number | undefined): boolean {
    const answers = this.#answers;
    this.#answers = 0;
    const isKnown = this.#lives >= few;
    const isOver = answers > 0 && (code === 0 || (isKnown && code !== undefined));
    this.#lives = isOver && answers === 1 ? this.#lives + 1 : 0;
    if (this.#lives === few && !isKnown) this.#onKnown?.();
    return isOver;
  }
}
