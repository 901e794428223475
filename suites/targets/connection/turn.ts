import { type Observation, TargetFailure, unavailableOf } from "../../../schemas/index.ts";
import { whenAborted } from "../../base/process/abort.ts";

/** One question that was asked and has no answer yet. */
export class ConnectionTurn<Asked> {
  readonly question: Asked;
  readonly answer: Promise<Observation>;
  /** Whether the question is sent alone, because it was open when a worker was lost, or checks whether the target still answers. */
  isAlone = false;
  /** The time limit of the question in milliseconds, known once its signal aborts. */
  allowed: number | undefined;
  /** When the question became the oldest open one: waiting for earlier ones does not use up its time. */
  startedAt: number | undefined;
  resolve!: (answer: Observation) => void;
  /** Ends the question together with the target. */
  reject!: (failure: Error) => void;

  /** `onLate` is called when the signal reports that the time is over. */
  constructor(question: Asked, signal: AbortSignal, onLate: () => void) {
    this.question = question;
    const askedAt = performance.now();
    const rejectLate = (): void => {
      this.allowed = performance.now() - askedAt;
      // A withdrawn question, as when a run is stopped, is not a reason to replace a worker that is about to be closed.
      if (signal.reason?.name === "AbortError")
        this.resolve(unavailableOf(new TargetFailure("errored", "answer", "withdrawn")));
      else onLate();
    };
    const stopListening = whenAborted(signal, rejectLate);
    this.answer = new Promise((resolve, reject) => {
      this.resolve = (answer) => {
        stopListening();
        resolve(answer);
      };
      this.reject = (failure) => {
        stopListening();
        reject(failure);
      };
    });
  }

  /** The milliseconds left; undefined until the signal has aborted. */
  remainingMs(): number | undefined {
    if (this.allowed === undefined || this.startedAt === undefined) return undefined;
    return this.startedAt + this.allowed - performance.now();
  }
}
