import type { Skip } from "../cause.ts";
import type { Json } from "../json.ts";
import type { Document } from "../profile.ts";
import type { Protocol } from "../protocol.ts";
import type { Lost, UntestedRule } from "../report.ts";
import type { Capability } from "../vector.ts";
import type { Observation } from "./observation.ts";

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
   * Gives what the target made of the question, and throws for faults of its own alone: a TouchstoneError when there will be no answer any more. (A
   * TargetFailure or a TargetSkip that is thrown counts as an observation, too.) The signal says that the time is up, and `check` then settles soon: at once, or, where questions stand in line before one
   * worker, when it had as much time from its turn on. So a slow line costs nobody, and a hang costs the question that hangs.
   * A target that knows the answer at once may return it as it is, and throw at once. Many questions come with the same signal, one after another: who listens to it stops when there is an answer.
   */
  check(question: Question, signal: AbortSignal): Observation | Promise<Observation>;
  /** Rules about its answers of which nothing is known by now, though requests were sent for them (absent: none). */
  untested?: () => UntestedRule[];
  /** That it was lost while no question could be blamed for it, so that no result tells of it; undefined if it was not. */
  lost?: () => Lost | undefined;
  close(): Promise<void>;
}
