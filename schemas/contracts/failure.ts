import type { Cause } from "../cause.ts";

/** Thrown if the target did not give a usable answer to one message. */
export class TargetFailure extends Error {
  readonly outcome: "errored" | "timed-out";
  /** The stage of the failure: `connect`, `send`, `answer`, `read`, `crash`, `protocol`, … */
  readonly stage: string;
  /** The reason as facts. */
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

/** Thrown if a message or a rule is not judged. `because` has the reason as facts; absent if the target itself declines, or a scenario proves nothing. */
export class TargetSkip extends Error {
  because: Cause | undefined;

  constructor(message: string, because?: Cause) {
    super(message);
    this.because = because;
  }
}
