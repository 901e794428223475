import { type Cause, type Declined, declinedOf, type NeverAskedOf, type Skip } from "../../../schemas/index.ts";
import { quote } from "./show.ts";

/** A skip that the target's owner cannot change. */
export function neverAsked(reason: string, of: NeverAskedOf): Skip {
  return { why: `a server is never asked this: ${reason}`, cause: { kind: "never-asked", of } };
}

/** That a document is skipped which has no validator where others have one. */
export function noValidator(document: string): Skip {
  return { why: `there is no validator for ${document}`, cause: { kind: "no-validator", document } };
}

/** A skip of a text, if only values are accepted. */
export function noText(why: string): Skip {
  return { why, cause: { kind: "not-read", format: "text" } };
}

/** That something cannot be sent as it is meant. */
export function skipUnsendable(why: string): Skip {
  return { why, cause: { kind: "unsendable" } };
}

/** Why a path without a resource says nothing about a message; the remedy if nothing valid is found. */
export function notThere(status: number, advice: string, body: string): Skip {
  return tellCause({
    kind: "not-there",
    status,
    reason: "the server has nothing at this path, as it may say to valid and invalid requests alike",
    advice,
    ...saidIn(body),
  });
}

/** The reason for which a status says nothing of a message. */
export function ofStatus(status: number, reason: string, body: string): Skip & { cause: StatusCause } {
  return tellCause({ kind: "http-status", status, reason, ...saidIn(body) });
}

type StatusCause = Extract<Cause, { kind: "http-status" | "not-there" }>;

function tellCause<T extends StatusCause>(cause: T): { why: string; cause: T } {
  return { why: `${beforeBody(cause, true)}${bodyIn(cause)}`, cause };
}

/** The body of an answer as a fact, if there was one. */
export function saidIn(body: string): { said?: string } {
  return body === "" ? {} : { said: quote(body) };
}

/** A body after a reason; empty if there is none. */
export function bodyIn({ said }: { said?: string }): string {
  return said === undefined ? "" : `; it said: ${said}`;
}

function beforeBody(cause: StatusCause, isAdvising: boolean): string {
  const advice = isAdvising && cause.kind === "not-there" ? `; so that one is found, ${cause.advice}` : "";
  return `HTTP ${cause.status}: ${cause.reason}${advice}`;
}

/** Why a result is as it is, without the target's words, which differ each time, and optionally without the advice. */
export function reasonWithoutBody(
  { why, cause }: { why?: string; cause?: Cause },
  isAdvising = true,
): string | undefined {
  const hasParts = cause?.kind === "http-status" || cause?.kind === "not-there";
  return hasParts ? beforeBody(cause, isAdvising) : why;
}

/** The target's words, if the result depends on its answer. */
export function saidOf({ cause }: { cause?: Cause }): string | undefined {
  return cause !== undefined && "said" in cause ? cause.said : undefined;
}

/** A code from which nothing follows, in the profile's words. */
export function declineUnjudged(why: string, code: string | number): Declined {
  const quoted = quote(String(code));
  return declinedOf(`${why} (code ${quoted})`, { kind: "unjudged-code", code: quoted });
}

/** A skip because the target will not judge something, with its reason. */
export function skippedByTarget(targetReason: string): Declined {
  const reason = quote(targetReason);
  return declinedOf(`the target skips it: ${reason}`, { kind: "declined", reason });
}

const plural: readonly [RegExp, string][] = [
  [/^needs /, "need "],
  [/^waits /, "wait "],
  [/^takes /, "take "],
  [/^is /, "are "],
  [/^its valid parent is /, "their valid parent is "],
];

/** A reason as it follows a number of vectors or scenarios that are skipped for it. */
export function reasonOf(number: number, reason: string): string {
  if (number === 1) return reason;
  return plural.reduce((text, [one, several]) => text.replace(one, several), reason);
}

/** The missing part, in a few words, if a whole document is skipped for lack of a validator or of a path; undefined for every other cause. */
export function lackingFor(cause: Cause | undefined): string | undefined {
  if (cause?.kind === "no-validator") return "there is no validator";
  return cause?.kind === "no-endpoint" ? "no endpoint is known" : undefined;
}

/** The target's action, in a few words, for which a vector is skipped; undefined for every other cause. */
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
