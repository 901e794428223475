import type { Cause } from "../cause.ts";
import type { Answer } from "../report.ts";
import type { Level } from "../rule.ts";
import { TargetFailure, TargetSkip } from "./failure.ts";

/** What is wrong with an answer itself: a rule that it breaks, or the location of what a schema of answers asserts; and how much that counts (MUST without). */
export interface AnswerBreach {
  rule?: string;
  site?: string;
  message: string;
  level?: Level;
}

export function brokenRule(rule: string, message: string, level: Level = "MUST"): AnswerBreach {
  return { rule, message, level };
}

/** What a target said of one question. */
export interface TargetAnswer extends Answer {
  /** What is wrong with the answer itself, whatever it says. */
  breach?: AnswerBreach;
  /** The limit of its own that the message is over which it refuses, in words: such a refusal shows nothing. */
  over?: string;
  /** Of a tool, which refuses in words alone: what they are about. */
  speech?: Speech;
}

/** What the words of a refusal are about: its schema, the input in general, or something else; and the first of them, without what differs. */
export interface Speech {
  of: "schema" | "input" | "other";
  words: string;
}

/** What a target made of one question: an answer, or why there is none to be judged. */
export type Observation = TargetAnswer | Unanswered;

/** No answer to be judged: what there was in its place, with the reason, and as facts. */
export type Unanswered = Declined | Unavailable | AboutState | Remembered | Broken;

interface WithoutVerdict {
  verdict?: undefined;
  reasons?: undefined;
  why: string;
  cause: Cause;
}

/** It is not judged by this target, or what came says nothing of it. */
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
 * A server refused with a status that is about what it has, or wants: of one message that says nothing. `refusal` is what it means where the
 * server refuses all that is invalid so, and nothing that is valid.
 */
export interface AboutState extends WithoutVerdict {
  kind: "about-state";
  status: number;
  refusal?: TargetAnswer;
  /** What it is unless something valid of the document is accepted: then it is no refusal for sure, nor is it a failure. */
  unless?: Unavailable;
}

/**
 * A server knows a value again that it took with an earlier message: of a valid message, that it accepts it; of another, nothing, since
 * some remember what they refused.
 */
export interface Remembered extends WithoutVerdict {
  kind: "remembered";
}

/** The answer is wrong in itself, whatever it makes of the question. */
export interface Broken extends WithoutVerdict {
  kind: "broken";
  breach: AnswerBreach;
}

export function declined(why: string, cause: Cause): Declined {
  return { kind: "declined", why, cause };
}

/** What a failure comes to that ends one question. */
export function unavailable({ outcome, stage, message, because }: TargetFailure): Unavailable {
  return { kind: "unavailable", outcome, stage, why: message, cause: because };
}

/** That a value at a place is known from an earlier message. */
export function remembered(at: string): Remembered {
  const why = `the server remembers this ${at} from an earlier run: start it anew to have it judged`;
  return { kind: "remembered", why, cause: { kind: "remembered", at } };
}

/** What a target threw that is about one question; undefined for a fault of the target, or of whoever asks. */
export function observationIn(thrown: unknown): Unanswered | undefined {
  if (thrown instanceof TargetFailure) return unavailable(thrown);
  if (!(thrown instanceof TargetSkip)) return undefined;
  return declined(thrown.message, thrown.because ?? { kind: "declined" });
}
