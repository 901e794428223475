import type { Cause, Skip } from "../cause.ts";
import type { Json } from "../json.ts";
import type { Document } from "../profile.ts";
import type { Protocol } from "../protocol.ts";
import type { Answer, UntestedRule } from "../report.ts";
import type { Level } from "../rule.ts";
import type { Capability } from "../vector.ts";

/** What a target gets to judge. It holds neither the vector's id nor its verdict: a target must not be able to read the answer. */
export interface Question {
  document: Document;
  /** Exactly one of the three: a value, JSON text, bytes of a text. */
  data?: Json;
  text?: string;
  bytes?: Uint8Array;
  /** The text is YAML. */
  yaml?: true;
  /** JSON Pointers of members that must be sent as they are: what the vector is about. For HTTP freshness only. */
  keep: readonly string[];
  /** The signature is no part of what it is about: it has to fit whatever freshness makes of the rest. */
  sign?: true;
  /** Seeds what freshness draws, so that a replay sends the same bytes apart from the clock. */
  seed: number;
}

/** What a target said of one question. */
export interface TargetAnswer extends Answer {
  /**
   * What is wrong with the answer itself, whatever it says: a rule that it breaks, or the location of what a schema of answers asserts; and how
   * much that counts (MUST without).
   */
  breach?: { rule?: string; site?: string; message: string; level?: Level };
  /** The limit of its own that the message is over which it refuses, in words: such a refusal shows nothing. */
  over?: string;
}

/** An implementation under test. Opened once, asked many times, also concurrently, closed once. */
export interface Target {
  readonly kind: "module" | "command" | "http" | "mcp" | "reference";
  readonly name: string;
  /** What it claims to support, known once it is open; undefined: whatever it can be sent counts. */
  readonly claims: readonly Capability[] | undefined;
  /** What is taken for granted of it when it claims nothing, known once it is open; undefined: what usually is of its kind. */
  readonly assumes?: readonly Capability[] | undefined;
  /** What it is configured with and no report may show. */
  readonly secrets?: readonly string[];
  /** Messages a minute that it publishes that it takes, known once it is open. */
  readonly perMinute?: number | undefined;
  /** How many questions it takes at once by default. */
  readonly concurrency: number;
  /** Throws a TouchstoneError of kind `target` when it cannot be run at all. */
  open(protocol: Protocol): Promise<void>;
  /** Why it cannot judge this question, or undefined. A text alone is what the target itself says. */
  skips(question: Question): Skip | string | undefined;
  /** Whether all questions wait since the target asked them to: no question's time runs meanwhile (absent: never). */
  isHeld?: () => boolean;
  /**
   * Throws a TargetFailure or TargetSkip when there is no answer, and a TouchstoneError when there will be none any more. The
   * signal says that the time is up, and `check` then settles soon: at once, or, where questions stand in line before one
   * worker, when it had as much time from its turn on. So a slow line costs nobody, and a hang costs the question that hangs.
   * A target that knows the answer at once may return it as it is, and throw at once. Many questions come with the same signal, one after another: who listens to it stops when there is an answer.
   */
  check(question: Question, signal: AbortSignal): TargetAnswer | Promise<TargetAnswer>;
  /** Rules about its answers of which nothing is known by now, though requests were sent for them (absent: none). */
  untested?: () => UntestedRule[];
  close(): Promise<void>;
}

/** The target gave no usable answer to one question. */
export class TargetFailure extends Error {
  readonly outcome: "errored" | "timed-out";
  /** Where: `connect`, `send`, `answer`, `read`, `crash`, `protocol`, … */
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

/**
 * A server refused with a status that is about what it has, or wants: of one message that says nothing. `refusal` is what it means where the
 * server refuses all that is invalid so, and nothing that is valid.
 */
export class TargetState extends TargetSkip {
  readonly status: number;
  refusal?: TargetAnswer;

  constructor(status: number, message: string, because: Cause) {
    super(message, because);
    this.status = status;
  }
}

/**
 * A server knows a value again that it took with an earlier message: of a valid message, that it accepts it; of another, nothing, since
 * some remember what they refused.
 */
export class TargetMemory extends TargetSkip {
  constructor(at: string) {
    super(`the server remembers this ${at} from an earlier run: start it anew to have it judged`, {
      kind: "remembered",
      at,
    });
  }
}

/** What a target said is itself wrong, whatever it makes of the question: the rule that it breaks. */
export class TargetBreach extends Error {
  readonly rule: string;
  readonly level: Level;

  constructor(rule: string, message: string, level: Level = "MUST") {
    super(message);
    this.rule = rule;
    this.level = level;
  }
}
