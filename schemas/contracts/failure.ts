import type { Cause } from "../cause.ts";

/** The target gave no usable answer to one question. */
export class TargetFailure extends Error {
  readonly outcome: "errored" | "timed-out";
  /** The stage of the failure: `connect`, `send`, `answer`, `read`, `crash`, `protocol`, … */
  readonly stage: string;
  /** The same as facts. */
  because: Cause;

  constructor(
    outcome: "errored" | "timed-out",
    stage: string,
    message: string,
    { because, ...options }: ErrorOptions & { because?: Cause } = {},
  ) {
    super(message, options);
    this.name = "TargetFailure";
    this.outcome = outcome;
    this.stage = stage;
    this.because = because ?? { kind: outcome === "timed-out" ? "timed-out" : "no-usable-answer" };
  }
}

/** One question is not judged, or nothing is shown of a rule: the reason, and as facts (absent: the target itself declines, or a scenario shows nothing). */
export class TargetSkip extends Error {
  because: Cause | undefined;

  constructor(message: string, because?: Cause) {
    super(message);
    this.because = because;
  }
}
