import type { Skip } from "../cause.ts";
import type { Json } from "../json.ts";
import type { Document } from "../profile.ts";
import type { Protocol } from "../protocol.ts";
import type { Lost, UntestedRule } from "../report.ts";
import type { Capability } from "../vector.ts";
import type { Observation } from "./observation.ts";

/** The question that a target judges. It contains neither the vector's id nor its verdict: a target must not be able to read the answer. */
export interface Question {
  document: Document;
  /** Exactly one of these three is present: a value, a text, or the bytes of a text. */
  data?: Json;
  text?: string;
  bytes?: Uint8Array;
  /** The text is YAML. */
  yaml?: true;
  /** JSON Pointers of the members that the vector is about: they are sent unchanged. For HTTP freshness only. */
  keep: readonly string[];
  /** The message is signed again after freshness, since the vector is not about the signature. */
  sign?: true;
  /** Seed of the values that freshness generates, so that a replay sends the same bytes apart from the clock. */
  seed: number;
}

/** An implementation under test: opened once, used for many questions, also concurrently, and closed once. */
export interface Target {
  readonly kind: "module" | "command" | "http" | "mcp" | "reference";
  readonly name: string;
  /** The capabilities that it claims, known once it is open; undefined: it receives everything that can be sent. */
  readonly claims: readonly Capability[] | undefined;
  /** The capabilities that are assumed if it claims nothing, known once it is open; undefined: the usual ones of its kind. */
  readonly assumes?: readonly Capability[] | undefined;
  /** Secrets of its configuration, which no report may show. */
  readonly secrets?: readonly string[];
  /** The published limit of messages a minute, known once it is open. */
  readonly perMinute?: number | undefined;
  /** The default number of concurrent questions. */
  readonly concurrency: number;
  /** Throws a TouchstoneError of kind `target` if it cannot run at all. */
  open(protocol: Protocol): Promise<void>;
  /** Why it cannot judge this question, or undefined. A plain text is the target's own reason. */
  skips(question: Question): Skip | string | undefined;
  /** Why a rule does not bind the target, according to its published documents; undefined if it does (absent: all rules do). Only once it is open. */
  offers?: (rule: string) => Skip | undefined;
  /** Whether the target has requested a pause: all questions wait, and no time limit runs (absent: never). */
  isHeld?: () => boolean;
  /**
   * Returns the target's reaction to the question. Throws only for faults of the target itself: a TouchstoneError if there will be no more
   * answers. (A thrown TargetFailure or TargetSkip counts as an observation.) The signal means that the time is up, and `check` then settles
   * soon. If questions wait in a queue for one worker, the time of each starts when the worker begins it, so a hang affects only the hanging
   * question. A target that knows the answer may return it, or throw, synchronously. Many questions share one signal, one after another, so
   * remove a listener once there is an answer.
   */
  check(question: Question, signal: AbortSignal): Observation | Promise<Observation>;
  /** Rules about its answers that are still untested, although requests were sent for them (absent: none). */
  untested?: () => UntestedRule[];
  /** The loss of the target, if no question caused it and so no result reports it; undefined otherwise. */
  lost?: () => Lost | undefined;
  close(): Promise<void>;
}
