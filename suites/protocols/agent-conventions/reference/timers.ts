/** Scheduled actions, by a clock that can be moved. */
export class Timers {
  /** How far the clock is ahead of real time, in milliseconds. */
  #ahead = 0;
  /** The time at which the action that is being performed was due; 0 if there is none. */
  #dueTime = 0;
  #waiting: { at: number; act: () => void }[] = [];

  /** Milliseconds since 1970. While an action is performed, the time at which it was due. */
  now(): number {
    return this.#dueTime > 0 ? this.#dueTime : Date.now() + this.#ahead;
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
      this.#waiting = this.#waiting.filter((action) => action !== nextDue);
      this.#dueTime = nextDue.at;
      nextDue.act();
      this.#dueTime = 0;
    }
  }
}
