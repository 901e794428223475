import type { Verdict } from "./vector.ts";

/**
 * Why a result does not conform, as facts. Whatever decides reads these, and no sentence; the texts among them (`reason`, `said`, `advice`,
 * `doubt`) are for people, as `why` is.
 */
export type Cause =
  // The answer is contrary to the verdict, or wrong in itself.
  /** An invalid message was accepted. */
  | { kind: "accepted" }
  /** A valid message was refused: for the first reason that was given; `doubt` says why that is no violation, `said` is the answer. */
  | { kind: "refused"; reason?: string; doubt?: string; said?: string }
  /** An invalid message was refused, and not for its fault. */
  | { kind: "other-reason"; reason?: string }
  /** The answer breaks a rule itself, whatever it says of the message. */
  | { kind: "answer-broken" }
  /** An expectation of a scenario was not met. */
  | { kind: "expectation" }
  /** Either answer is fine. */
  | { kind: "left-open"; by: OpenBy }
  // The target was asked, and what it said shows nothing.
  /** An HTTP status that says nothing of the message: the reason for which it does not, and the body. */
  | { kind: "http-status"; status: number; reason: string; said?: string }
  /** Nothing is at a path that names something; `advice` says what to do where nothing valid is found. */
  | { kind: "not-there"; status: number; reason: string; advice: string; said?: string }
  /** A code of which the profile says that nothing follows from it. */
  | { kind: "unjudged-code"; code: string }
  /** The target says that it does not judge this. */
  | { kind: "declined"; reason?: string }
  /** The target knows a value from an earlier message: the member at which it is. */
  | { kind: "remembered"; at: string }
  /** A limit that the target publishes, or a rate. */
  | { kind: "limit" }
  /** A tool refused, without saying that the input is not what its schema wants. */
  | { kind: "tool-refused"; of: Verdict }
  /** The credential is of one party, and the message of another. */
  | { kind: "other-sender"; agent: string }
  /** What is wrong with the message may be ignored by who receives it. */
  | { kind: "ignorable" }
  /** The target does not read texts, or not those of a format. */
  | { kind: "not-read"; format: "text" | "yaml" }
  /** The valid message from which it was made is refused, too. */
  | { kind: "parent-refused"; parent: string }
  /** No valid message of the document was accepted. */
  | { kind: "nothing-accepted"; document: string }
  // It was not asked.
  /** No target of this kind is ever asked this. */
  | { kind: "never-asked"; of: NeverAskedOf }
  | { kind: "no-endpoint"; document: string }
  | { kind: "no-validator"; document: string }
  | { kind: "needs-claim"; claims: string[] }
  /** Hooks, credentials, addresses and options that are not given: a need of a scenario by its name, `options.NAME` for an option. */
  | { kind: "needs-setting"; needs: string[] }
  /** A hook declines, or does not answer with what is needed. */
  | { kind: "hook-answer"; hook: string }
  /** It would wait so many milliseconds for a clock that cannot be moved. */
  | { kind: "waits-for"; milliseconds: number }
  /** It cannot be sent as it is meant. */
  | { kind: "unsendable" }
  /** The place that takes it would take it for another document. */
  | { kind: "taken-for"; document: string }
  /** The place that takes it takes several kinds of messages, and its word at this JSON Pointer may be that of one more. */
  | { kind: "unknown-kind"; at: string }
  /** Too little was left of the time, or of the target, to play it. */
  | { kind: "not-played" }
  // A scenario was played, and shows nothing of the rule.
  | { kind: "not-shown" }
  /** The scenario ended before the rule could be judged. */
  | { kind: "ended-early" }
  // There is no usable answer.
  | { kind: "no-connection"; code?: string }
  | { kind: "timed-out" }
  /** The implementation was gone before it answered. */
  | { kind: "lost" }
  /** A function of the implementation threw. */
  | { kind: "threw"; reason: string }
  /** The implementation says that it failed. */
  | { kind: "reported"; reason: string }
  /** The target lets nobody in, or not this party. */
  | { kind: "access"; status: number }
  /** The target puts off requests for longer than is waited. */
  | { kind: "rate-limit"; status?: number }
  /** A hook failed. */
  | { kind: "hook-failed" }
  /** Answers differ between tries: their outcomes, in order, and the cause of the first that fails; whether the configuration excuses it. */
  | { kind: "flaky"; tries: string[]; of: string; excused?: true }
  /** Something else came, or nothing. */
  | { kind: "no-usable-answer" };

export type CauseKind = Cause["kind"];

/** What leaves it open: readings of the specification, semantic rules, a right of servers, what a rule binds, or an earlier message. */
export const openBy = ["readings", "rules", "discretion", "binding", "memory", "time"] as const;
export type OpenBy = (typeof openBy)[number];

/** Why nobody is asked: the implementation sends it; it is a part of others, or a record; the profile says so; a text, or parameters have no place there. */
export const neverAskedOf = ["emitted", "part", "record", "profile", "text", "parameters"] as const;
export type NeverAskedOf = (typeof neverAskedOf)[number];

/** Why something is not asked, or shows nothing: a sentence, and the facts. */
export interface Skip {
  why: string;
  cause: Cause;
}

/** That something is skipped for want of a hook, a credential, an address or an option. */
export function needing(...needs: string[]): Cause {
  return { kind: "needs-setting", needs };
}

/** That something is skipped since a hook declines, or does not answer with what is needed. */
export function hookAnswer(hook: string): Cause {
  return { kind: "hook-answer", hook };
}

/** Whether no target of its kind is ever asked this, whatever its owner changes. */
export function isNeverAsked(cause: Cause | undefined): boolean {
  return cause?.kind === "never-asked";
}

/** Whether a hook, a credential, an endpoint, an option or a claim would have it asked. */
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
