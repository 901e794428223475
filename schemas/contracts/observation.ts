import type { Cause } from "../cause.ts";
import type { Answer } from "../report.ts";
import type { Level } from "../rule.ts";
import { TargetFailure, TargetSkip } from "./failure.ts";

/** The fault of an answer itself: a broken rule, or the location of a broken assertion in a schema of answers; and its level (absent: MUST). */
export interface AnswerBreach {
  rule?: string;
  site?: string;
  message: string;
  level?: Level;
}

export function brokenRule(rule: string, message: string, level: Level = "MUST"): AnswerBreach {
  return { rule, message, level };
}

/** The answer of a target to one question. */
export interface TargetAnswer extends Answer {
  /** The fault of the answer itself, for any verdict. */
  breach?: AnswerBreach;
  /** The limit of its own that the message is over which it refuses, in words: such a refusal shows nothing. */
  over?: string;
  /** For a tool, which refuses only in words: the subject of these words. */
  speech?: Speech;
}

/** The subject of the words of a refusal: its schema, the input in general, or something else; and the first words, without the variable parts. */
export interface Speech {
  of: "schema" | "input" | "other";
  words: string;
}

/** The result of one question: an answer, or the reason that there is none to judge. */
export type Observation = TargetAnswer | Unanswered;

/** No answer to be judged: its replacement, with the reason, and as facts. */
export type Unanswered = Declined | Unavailable | AboutState | Remembered | Broken;

interface WithoutVerdict {
  verdict?: undefined;
  reasons?: undefined;
  why: string;
  cause: Cause;
}

/** It is not judged by this target, or the answer says nothing about it. */
export interface Declined extends WithoutVerdict {
  kind: "declined";
}

/** There was no usable answer. */
export interface Unavailable extends WithoutVerdict {
  kind: "unavailable";
  outcome: "errored" | "timed-out";
  /** Where: `connect`, `send`, `answer`, `read`, `crash`, `protocol`, … */
  stage: string;
}

/**
 * A server refused with a status about its state. For one message this says nothing. `refusal` is the meaning if the server gives this
 * status to all invalid messages and to no valid one.
 */
export interface AboutState extends WithoutVerdict {
  kind: "about-state";
  status: number;
  refusal?: TargetAnswer;
  /** The meaning, unless a valid message of the document is accepted: then it is neither surely a refusal nor a failure. */
  unless?: Unavailable;
}

/**
 * A server recognises a value of an earlier message. For a valid message, this means that it accepts it; for another, nothing, since some
 * servers remember refused messages.
 */
export interface Remembered extends WithoutVerdict {
  kind: "remembered";
}

/** The answer itself is wrong, for any verdict. */
export interface Broken extends WithoutVerdict {
  kind: "broken";
  breach: AnswerBreach;
}

export function declined(why: string, cause: Cause): Declined {
  return { kind: "declined", why, cause };
}

/** The outcome of a failure that ends one question. */
export function unavailable({ outcome, stage, message, because }: TargetFailure): Unavailable {
  return { kind: "unavailable", outcome, stage, why: message, cause: because };
}

/** That a value at a place is known from an earlier message. */
export function remembered(at: string): Remembered {
  const why = `the server remembers this ${at} from an earlier run: start it anew to have it judged`;
  return { kind: "remembered", why, cause: { kind: "remembered", at } };
}

/** The observation in an error that a target threw about one question; undefined for a fault of the target or of the caller. */
export function observationIn(thrown: unknown): Unanswered | undefined {
  if (thrown instanceof TargetFailure) return unavailable(thrown);
  if (!(thrown instanceof TargetSkip)) return undefined;
  return declined(thrown.message, thrown.because ?? { kind: "declined" });
}
