import { type Cause, type Declined, declinedOf, type NeverAskedOf, type Skip } from "../../../schemas/index.ts";
import { quote } from "./show.ts";

/** Creates the skip of a question that no server is ever asked, so that the target's owner cannot change it. */
export function skipNeverAsked(reason: string, of: NeverAskedOf): Skip {
  return { why: `a server is never asked this: ${reason}`, cause: { kind: "never-asked", of } };
}

/** Creates the skip of a document that has no validator, although other documents have one. */
export function skipWithoutValidator(document: string): Skip {
  return { why: `there is no validator for ${document}`, cause: { kind: "no-validator", document } };
}

/** Creates the skip of a text by a target that accepts only values. */
export function skipText(why: string): Skip {
  return { why, cause: { kind: "not-read", format: "text" } };
}

/** Creates the skip of a question that cannot be sent as intended. */
export function skipUnsendable(why: string): Skip {
  return { why, cause: { kind: "unsendable" } };
}

/** Creates the skip of a path that the server does not serve: the status says nothing about the message. `advice` helps to find the right path. */
export function skipNotServed(status: number, advice: string, body: string): Skip {
  return skipWithCause({
    kind: "not-there",
    status,
    reason: "the server has nothing at this path, as it may say to valid and invalid requests alike",
    advice,
    ...bodyFact(body),
  });
}

/** Creates the skip of an answer with a status that says nothing about the message. */
export function skipByStatus(status: number, reason: string, body: string): Skip & { cause: StatusCause } {
  return skipWithCause({ kind: "http-status", status, reason, ...bodyFact(body) });
}

type StatusCause = Extract<Cause, { kind: "http-status" | "not-there" }>;

function skipWithCause<T extends StatusCause>(cause: T): { why: string; cause: T } {
  return { why: `${describeStatus(cause, true)}${describeBody(cause)}`, cause };
}

/** Returns the body of an answer as part of a cause, unless it is empty. */
export function bodyFact(body: string): { said?: string } {
  return body === "" ? {} : { said: quote(body) };
}

/** Describes the body of an answer, to append to a reason; empty if there is none. */
export function describeBody({ said }: { said?: string }): string {
  return said === undefined ? "" : `; it said: ${said}`;
}

function describeStatus(cause: StatusCause, hasAdvice: boolean): string {
  const advice = hasAdvice && cause.kind === "not-there" ? `; so that one is found, ${cause.advice}` : "";
  return `HTTP ${cause.status}: ${cause.reason}${advice}`;
}

/** Returns the reason for a result without the answer's body, which differs each time, and optionally without the advice. */
export function reasonWithoutBody(
  { why, cause }: { why?: string; cause?: Cause },
  isAdvising = true,
): string | undefined {
  const hasParts = cause?.kind === "http-status" || cause?.kind === "not-there";
  return hasParts ? describeStatus(cause, isAdvising) : why;
}

/** Returns the answer's body, if the cause of the result contains it. */
export function bodyBehind({ cause }: { cause?: Cause }): string | undefined {
  return cause !== undefined && "said" in cause ? cause.said : undefined;
}

/** Creates the skip of a refusal with a code that proves nothing, with the profile's reason. */
export function declineUnjudged(why: string, code: string | number): Declined {
  const quoted = quote(String(code));
  return declinedOf(`${why} (code ${quoted})`, { kind: "unjudged-code", code: quoted });
}

/** Creates the skip of a question that the target declines to judge, with its reason. */
export function skippedByTarget(targetReason: string): Declined {
  const reason = quote(targetReason);
  return declinedOf(`the target skips it: ${reason}`, { kind: "declined", reason });
}

const pluralForms: readonly [RegExp, string][] = [
  [/^needs /, "need "],
  [/^waits /, "wait "],
  [/^takes /, "take "],
  [/^is /, "are "],
  [/^its valid parent is /, "their valid parent is "],
];

/** Puts a reason into the plural if it follows a number of vectors or scenarios. */
export function pluralizeReason(number: number, reason: string): string {
  if (number === 1) return reason;
  return pluralForms.reduce((text, [singular, pluralForm]) => text.replace(singular, pluralForm), reason);
}

/** Describes briefly why a whole document is skipped: it has no validator or no path. Undefined for every other cause. */
export function describeLack(cause: Cause | undefined): string | undefined {
  if (cause?.kind === "no-validator") return "there is no validator";
  return cause?.kind === "no-endpoint" ? "no endpoint is known" : undefined;
}

/** Describes briefly the behaviour of the target that causes a skip. Undefined for every other cause. */
export function explainTargetSkip(cause: Cause | undefined): string | undefined {
  switch (cause?.kind) {
    case "http-status":
    case "not-there":
      return `the target answers HTTP ${cause.status}`;
    case "parent-refused":
    case "nothing-accepted":
      return "the target refuses the valid messages that they are made of";
    case "declined":
      return "the target skips them";
    case "tool-refused":
      return "the tool refuses without saying that the input is invalid";
    case "remembered":
      return "the server remembers values of an earlier run";
    default:
      return undefined;
  }
}
