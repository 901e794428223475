import type { Cause } from "../cause.ts";
import type { Answer } from "../report.ts";
import type { Level } from "../rule.ts";
import { TargetFailure, TargetSkip } from "./failure.ts";

/** A fault of an answer itself: the broken rule, or the location of the broken assertion in an answer schema. The level is MUST if absent. */
export interface AnswerBreach {
  rule?: string;
  site?: string;
  message: string;
  level?: Level;
}

export function brokenRule(rule: string, message: string, level: Level = "MUST"): AnswerBreach {
  return { rule, message, level };
}

/** The answer of a target to one message. */
export interface TargetAnswer extends Answer {
  /** A fault of the answer itself, independent of its verdict. */
  breach?: AnswerBreach;
  /** Describes the target's own limit that the refused message exceeds. Such a refusal proves nothing. */
  over?: string;
  /** The subject of the refusal, for a tool, which can refuse only in words. */
  speech?: Speech;
}

/** A refusal in words: its subject (the schema, the input in general, or something else), and its first words without variable parts. */
export interface Speech {
  of: "schema" | "input" | "other";
  words: string;
}

/** The result of one message: an answer, or the reason why there is no answer to judge. */
export type Observation = TargetAnswer | Unanswered;

/** Takes the place of an answer that cannot be judged, with the reason as a sentence (`why`) and as data (`cause`). */
export type Unanswered = Declined | Unavailable | AboutState | Remembered | Broken;

interface WithoutVerdict {
  verdict?: undefined;
  reasons?: undefined;
  why: string;
  cause: Cause;
}

/** The target does not judge the message, or its answer is not about the message. */
export interface Declined extends WithoutVerdict {
  kind: "declined";
}

/** There was no usable answer. */
export interface Unavailable extends WithoutVerdict {
  kind: "unavailable";
  outcome: "errored" | "timed-out";
  /** The stage of the failure: `connect`, `send`, `answer`, `read`, `crash`, `protocol`, … */
  stage: string;
}

/**
 * A server answered with a status about its state, which says nothing about a single message. `refusal` is the meaning if the server gives
 * this status to all invalid messages and to no valid one.
 */
export interface AboutState extends WithoutVerdict {
  kind: "about-state";
  status: number;
  refusal?: TargetAnswer;
  /** The meaning if no valid message of the document is accepted; otherwise the status is not known to be a failure. */
  unless?: Unavailable;
}

/**
 * A server recognises a value from an earlier message. For a valid message, this means acceptance; for any other, it means nothing, since
 * some servers also remember messages that they refused.
 */
export interface Remembered extends WithoutVerdict {
  kind: "remembered";
}

/** The answer itself is wrong, and gives no verdict on the message. */
export interface Broken extends WithoutVerdict {
  kind: "broken";
  breach: AnswerBreach;
}

export function declinedOf(why: string, cause: Cause): Declined {
  return { kind: "declined", why, cause };
}

/** The observation for a failure to answer one message. */
export function unavailableOf({ outcome, stage, message, because }: TargetFailure): Unavailable {
  return { kind: "unavailable", outcome, stage, why: message, cause: because };
}

/** The observation that the server knows the value of the member `at` from an earlier message. */
export function rememberedAt(at: string): Remembered {
  const why = `the server remembers this ${at} from an earlier run: start it anew to have it judged`;
  return { kind: "remembered", why, cause: { kind: "remembered", at } };
}

/** Converts an error that a target threw about one message; undefined for a fault of the target or of the caller. */
export function observationIn(thrown: unknown): Unanswered | undefined {
  if (thrown instanceof TargetFailure) return unavailableOf(thrown);
  if (!(thrown instanceof TargetSkip)) return undefined;
  return declinedOf(thrown.message, thrown.because ?? { kind: "declined" });
}
