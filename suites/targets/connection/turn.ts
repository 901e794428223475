import { type Observation, TargetFailure, unavailableOf } from "../../../schemas/index.ts";
import { whenAborted } from "../../base/process/abort.ts";

/** One question on its way. */
export class ConnectionTurn<Asked> {
  readonly question: Asked;
  readonly answer: Promise<Observation>;
  /** It was out when a worker was lost, and is asked again with no other beside it. */
  alone = false;
  /** Its time limit in milliseconds, known after its signal. */
  allowed: number | undefined;
  /** When it became the oldest one out: a question's time is not spent on those before it. */
  since: number | undefined;
  resolve!: (answer: Observation) => void;
  /** For the end of the target as a whole. */
  reject!: (failure: Error) => void;

  /** `onLate` is called when the signal reports that the time is up. */
  constructor(question: Asked, signal: AbortSignal, onLate: () => void) {
    this.question = question;
    const asked = performance.now();
    const rejectLate = (): void => {
      this.allowed = performance.now() - asked;
      // Withdrawn, as when a run is stopped: no reason to replace a worker that is about to be closed.
      if (signal.reason?.name === "AbortError")
        this.resolve(unavailableOf(new TargetFailure("errored", "answer", "withdrawn")));
      else onLate();
    };
    const leave = whenAborted(signal, rejectLate);
    this.answer = new Promise((resolve, reject) => {
      this.resolve = (answer) => {
        leave();
        resolve(answer);
      };
      this.reject = (failure) => {
        leave();
        reject(failure);
      };
    });
  }

  /** Milliseconds of its time that are left; undefined as long as none is up. */
  left(): number | undefined {
    if (this.allowed === undefined || this.since === undefined) return undefined;
    return this.since + this.allowed - performance.now();
  }
}
