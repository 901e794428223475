import type { ConnectionTurn } from "./turn.ts";

/** The questions to a worker: waiting questions, open questions, and suspects that were open when a worker was lost. */
export class QuestionQueue<Asked> {
  readonly #waiting: ConnectionTurn<Asked>[] = [];
  readonly #suspects: ConnectionTurn<Asked>[] = [];
  readonly #open = new Map<number, ConnectionTurn<Asked>>();
  #seq = 0;
  /** All questions before this number are closed. The number is stored because finding the first entry of a map that is emptied from the front is slow. */
  #first = 1;
  // A worker that has always answered in order probably handles one question at a time, so it hangs on the oldest question.
  #inOrder = true;

  add(turn: ConnectionTurn<Asked>): void {
    this.#waiting.push(turn);
  }

  /** Puts a question before all others, to be sent alone. */
  addFirst(turn: ConnectionTurn<Asked>): void {
    turn.isAlone = true;
    this.#suspects.unshift(turn);
  }

  get hasNext(): boolean {
    return this.#waiting.length + this.#suspects.length > 0;
  }

  get hasOpen(): boolean {
    return this.#open.size > 0;
  }

  oldest(): ConnectionTurn<Asked> | undefined {
    while (this.#first <= this.#seq) {
      const turn = this.#open.get(this.#first);
      if (turn !== undefined) return turn;
      this.#first += 1;
    }
    return undefined;
  }

  /** Removes and returns the next question that may be sent now: suspects one at a time, the others in order. Undefined if no question may be sent. */
  next(): [seq: number, turn: ConnectionTurn<Asked>] | undefined {
    const canSend = this.#suspects.length > 0 ? !this.hasOpen : this.oldest()?.isAlone !== true;
    const turn = canSend ? (this.#suspects.shift() ?? this.#waiting.shift()) : undefined;
    if (turn === undefined) return undefined;
    this.#open.set(++this.#seq, turn);
    return [this.#seq, turn];
  }

  /** Closes the open question with this number, and returns it. */
  close(seq: number): ConnectionTurn<Asked> | undefined {
    const turn = this.#open.get(seq);
    if (turn === undefined) return undefined;
    if (turn !== this.oldest()) this.#inOrder = false;
    this.#open.delete(seq);
    return turn;
  }

  /** Returns the question that caused the loss, if that is certain: the worker reported that it was working on it, or had no other question. */
  suspect(busy: number | undefined): ConnectionTurn<Asked> | undefined {
    if (busy !== undefined) return this.#open.get(busy);
    const turn = this.oldest();
    return turn?.isAlone === true ? turn : undefined;
  }

  /** Returns the question that a silent worker hangs on, if that can be decided. */
  hanging(busy: number | undefined): ConnectionTurn<Asked> | undefined {
    return this.suspect(busy) ?? (this.#inOrder || this.#open.size === 1 ? this.oldest() : undefined);
  }

  /** Puts the open questions back into the queue, to be sent again one at a time. The question that caused the loss is dropped. */
  requeueOpen(causing: ConnectionTurn<Asked> | undefined): void {
    const turnsToRepeat = [...this.#open.values()].filter((turn) => turn !== causing);
    this.#open.clear();
    for (const turn of turnsToRepeat) {
      turn.isAlone = true;
      turn.startedAt = undefined;
    }
    this.#suspects.unshift(...turnsToRepeat);
  }

  /** Removes and returns all questions. */
  drain(): ConnectionTurn<Asked>[] {
    const turns = [...this.#open.values(), ...this.#suspects.splice(0), ...this.#waiting.splice(0)];
    this.#open.clear();
    return turns;
  }
}
