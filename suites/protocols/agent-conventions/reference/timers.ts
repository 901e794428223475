/** Scheduled actions, by a clock that can be moved. */
export class Timers {
  #ahead = 0;
  #at = 0;
  #waiting: { at: number; act: () => void }[] = [];

  /** Milliseconds since 1970. While a due action is performed, the time at which it was due. */
  now(): number {
    return this.#at > 0 ? this.#at : Date.now() + this.#ahead;
  }

  later(milliseconds: number, act: () => void): void {
    this.at(this.now() + milliseconds, act);
  }

  at(time: number, act: () => void): void {
    this.#waiting.push({ at: time, act });
  }

  advance(milliseconds: number): void {
    this.#ahead += milliseconds;
    this.tick();
  }

  /** Performs all due actions, in order. */
  tick(): void {
    const now = this.now();
    for (;;) {
      const nextDue = this.#waiting.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at)[0];
      if (nextDue === undefined) return;
      this.#waiting = this.#waiting.filter((each) => each !== nextDue);
      this.#at = nextDue.at;
      nextDue.act();
      this.#at = 0;
    }
  }
}
