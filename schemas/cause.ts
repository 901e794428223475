import type { Verdict } from "./vector.ts";

/**
 * The reason why a result does not conform, as facts. Code decides by these facts only; the texts among them (`reason`, `said`, `advice`,
 * `doubt`) are for people, like `why`.
 */
export type Cause =
  // The answer is contrary to the verdict, or wrong in itself.
  /** An invalid message was accepted. */
  | { kind: "accepted" }
  /** A valid message was refused: `reason` is the first reason given; `doubt` says why the refusal is not a violation; `said` is the answer. */
  | { kind: "refused"; reason?: string; doubt?: string; said?: string }
  /** An invalid message was refused, but not for its fault. */
  | { kind: "other-reason"; reason?: string }
  /** The answer itself breaks a rule, for any verdict. */
  | { kind: "answer-broken" }
  /** An expectation of a scenario was not met. */
  | { kind: "expectation" }
  /** Either answer is fine. */
  | { kind: "left-open"; by: OpenBy }
  // The target answered, but the answer proves nothing.
  /** An HTTP status that does not judge the message, with the reason for that, and the body. */
  | { kind: "http-status"; status: number; reason: string; said?: string }
  /** The server has nothing at a path that contains an id; `advice` is the remedy if no valid message is accepted either. */
  | { kind: "not-there"; status: number; reason: string; advice: string; said?: string }
  /** A code that proves nothing, according to the profile. */
  | { kind: "unjudged-code"; code: string }
  /** The target says that it does not judge this. */
  | { kind: "declined"; reason?: string }
  /** The target knows a value from an earlier message; `at` is the location of that value. */
  | { kind: "remembered"; at: string }
  /** The message exceeds a limit or a rate that the target publishes. */
  | { kind: "limit" }
  /** A tool refused, without saying that the input breaks its schema. */
  | { kind: "tool-refused"; of: Verdict }
  /** The credential belongs to one party, and the message to another. */
  | { kind: "other-sender"; agent: string }
  /** The receiver may ignore the fault of the message. */
  | { kind: "ignorable" }
  /** The target does not parse messages itself, or not in this format. */
  | { kind: "not-read"; format: "text" | "yaml" }
  /** The valid message from which it was made was also refused. */
  | { kind: "parent-refused"; parent: string }
  /** No valid message of the document was accepted. */
  | { kind: "nothing-accepted"; document: string }
  // It was not sent.
  /** No target of this kind can receive it. */
  | { kind: "never-asked"; of: NeverAskedOf }
  | { kind: "no-endpoint"; document: string }
  | { kind: "no-validator"; document: string }
  | { kind: "needs-claim"; claims: string[] }
  /** Hooks, credentials, addresses and options that are not given: a need of a scenario by its name, `options.NAME` for an option. */
  | { kind: "needs-setting"; needs: string[] }
  /** A hook declines, or its answer lacks a needed value. */
  | { kind: "hook-answer"; hook: string }
  /** The scenario would wait this long for a clock that cannot be moved. */
  | { kind: "waits-for"; milliseconds: number }
  /** It cannot be sent in the intended form. */
  | { kind: "unsendable" }
  /** A document that the target publishes about itself denies this feature, or does not mention it. */
  | { kind: "not-offered"; document: string }
  /** The endpoint for this message would read it as another document. */
  | { kind: "taken-for"; document: string }
  /** The endpoint accepts several kinds of messages, and the value at this JSON Pointer may name one more. */
  | { kind: "unknown-kind"; at: string }
  /** Too little time was left to play it, or the target was gone. */
  | { kind: "not-played" }
  // A scenario was played, but proves nothing about the rule.
  | { kind: "not-shown" }
  /** The scenario ended before the rule could be judged. */
  | { kind: "ended-early" }
  /** The suite's own event loop was held up for this long, so that a breach or a timeout proves nothing about the target. */
  | { kind: "held-up"; milliseconds: number }
  // There is no usable answer.
  | { kind: "no-connection"; code?: string }
  | { kind: "timed-out" }
  /** The implementation disappeared before it answered. */
  | { kind: "lost" }
  /** A function of the implementation threw. */
  | { kind: "threw"; reason: string }
  /** The implementation reports that it failed. */
  | { kind: "reported"; reason: string }
  /** The target denies access to every party, or to this party. */
  | { kind: "access"; status: number }
  /** The target delays requests for longer than the suite waits. */
  | { kind: "rate-limit"; status?: number }
  /** A hook failed. */
  | { kind: "hook-failed" }
  /** Answers differ between tries. `tries` has the outcomes in order, `of` the cause of the first failure, and `excused` says whether the configuration excuses it. */
  | { kind: "flaky"; tries: string[]; of: string; excused?: true }
  /** The answer has an unknown form, or is missing. */
  | { kind: "no-usable-answer" };

export type CauseKind = Cause["kind"];

/**
 * Why the verdict is open: readings of the specification, semantic rules, the discretion of servers, the scope of a rule, an earlier message,
 * or the time.
 */
export const openBy = ["readings", "rules", "discretion", "binding", "memory", "time"] as const;
export type OpenBy = (typeof openBy)[number];

/**
 * Why a vector is never run: the implementation sends such messages itself; the document is only part of others, or is a record; the profile
 * excludes it; or nothing can carry a text or parameters.
 */
export const neverAskedOf = ["emitted", "part", "record", "profile", "text", "parameters"] as const;
export type NeverAskedOf = (typeof neverAskedOf)[number];

/** Why a case is not sent, or its answer is not evidence: a sentence, and the facts. */
export interface Skip {
  why: string;
  cause: Cause;
}

/** The cause of a skip: a hook, a credential, an address or an option is missing. */
export function missingNeeds(...needs: string[]): Cause {
  return { kind: "needs-setting", needs };
}

/** The cause of a skip: a hook declines, or its answer lacks a needed value. */
export function hookAnswer(hook: string): Cause {
  return { kind: "hook-answer", hook };
}

/** Whether a case is skipped because no target of this kind can receive it, in any configuration. */
export function isNeverAsked(cause: Cause | undefined): boolean {
  return cause?.kind === "never-asked";
}

/** Whether a hook, a credential, an endpoint, an option or a claim would make it possible to send the skipped case. */
export function isInYourHands(cause: Cause | undefined): boolean {
  switch (cause?.kind) {
    case "no-endpoint":
    case "needs-claim":
    case "needs-setting":
    case "hook-answer":
    case "waits-for":
      return true;
    default:
      return false;
  }
}
