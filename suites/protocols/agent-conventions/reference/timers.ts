/** Schedules actions by a clock that can be advanced. */
export class Timers {
  /** How far the clock is ahead of real time, in milliseconds. */
  #offsetMs = 0;
  /** The time at which the current action was due; 0 if no action is running. */
  #dueTime = 0;
  #pending: { dueAt: number; act: () => void }[] = [];

  /** Milliseconds since 1970. While an action runs, the time at which it was due. */
  now(): number {
    return this.#dueTime > 0 ? this.#dueTime : Date.now() + this.#offsetMs;
  }

  scheduleAfter(milliseconds: number, act: () => void): void {
    this.scheduleAt(this.now() + milliseconds, act);
  }

  scheduleAt(time: number, act: () => void): void {
    this.#pending.push({ dueAt: time, act });
  }

  advance(milliseconds: number): void {
    this.#offsetMs += milliseconds;
    this.runDue();
  }

  /** Runs all due actions, in order. */
  runDue(): void {
    const now = this.now();
    for (;;) {
      const nextDue = this.#pending.filter(({ dueAt }) => dueAt <= now).sort((a, b) => a.dueAt - b.dueAt)[0];
      if (nextDue === undefined) return;
      this.#pending = this.#pending.filter((action) => action !== nextDue);
      this.#dueTime = nextDue.dueAt;
      nextDue.act();
      this.#dueTime = 0;
    }
  }
}
