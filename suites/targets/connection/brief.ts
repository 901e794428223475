/** After this number of successive lives with a single answer each, a program is expected to end after every answer. */
const fewAnswers = 3;

/** Distinguishes a program that ends by itself after an answer, and is merely slow, from a program that crashes at a question. Each life of a slow program has closed a question, so repeating the open questions does not go on forever. */
export class BriefLives {
  #answers = 0;
  #lives = 0;
  readonly #onKnown: (() => void) | undefined;

  /** `onKnown` is called once the program is known to end after each answer. */
  constructor(onKnown: (() => void) | undefined) {
    this.#onKnown = onKnown;
  }

  countAnswer(): void {
    this.#answers += 1;
  }

  /** Records the end of a life, and returns whether it ended after its answers and not at an open question. `code` is the worker's exit code. */
  countEnd(code: number | undefined): boolean {
    const answers = this.#answers;
    this.#answers = 0;
    const isKnown = this.#lives >= fewAnswers;
    const isOver = answers > 0 && (code === 0 || (isKnown && code !== undefined));
    this.#lives = isOver && answers === 1 ? this.#lives + 1 : 0;
    if (this.#lives === fewAnswers && !isKnown) this.#onKnown?.();
    return isOver;
  }
}
