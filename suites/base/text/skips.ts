import { type Cause, type Declined, declinedOf, type NeverAskedOf, type Skip } from "../../../schemas/index.ts";
import { quote } from "./show.ts";

/** A skip that the target's owner cannot change. */
export function neverAsked(reason: string, of: NeverAskedOf): Skip {
  return { why: `a server is never asked this: ${reason}`, cause: { kind: "never-asked", of } };
}

/** The skip of a document for which there is no validator, though there are some for others. */
export function noValidator(document: string): Skip {
  return { why: `there is no validator for ${document}`, cause: { kind: "no-validator", document } };
}

/** The skip of a text by a target that accepts only values. */
export function noText(why: string): Skip {
  return { why, cause: { kind: "not-read", format: "text" } };
}

/** The skip of a question that cannot be sent as intended. */
export function skipUnsendable(why: string): Skip {
  return { why, cause: { kind: "unsendable" } };
}

/** The skip of a path that the server does not serve: the status says nothing about the message. `advice` is the remedy if no valid message is accepted. */
export function notThere(status: number, advice: string, body: string): Skip {
  return tellCause({
    kind: "not-there",
    status,
    reason: "the server has nothing at this path, as it may say to valid and invalid requests alike",
    advice,
    ...saidIn(body),
  });
}

/** The skip of an answer with a status that says nothing about the message. */
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

/** The reason for a result, without the target's words, which differ each time, and optionally without the advice. */
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

/** The refusal with a code from which nothing follows, in the profile's words. */
export function declineUnjudged(why: string, code: string | number): Declined {
  const quoted = quote(String(code));
  return declinedOf(`${why} (code ${quoted})`, { kind: "unjudged-code", code: quoted });
}

/** The skip of a question that the target declines to judge, with its reason. */
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

/** Words a reason to follow a number of vectors or scenarios that are skipped because of it. */
export function reasonOf(number: number, reason: string): string {
  if (number === 1) return reason;
  return plural.reduce((text, [one, several]) => text.replace(one, several), reason);
}

/** The missing part, in a few words, if a whole document is skipped for lack of a validator or a path; undefined for every other cause. */
export function lackingFor(cause: Cause | undefined): string | undefined {
  if (cause?.kind === "no-validator") return "there is no validator";
  return cause?.kind === "no-endpoint" ? "no endpoint is known" : undefined;
}

/** The behaviour of the target, in a few words, that causes a vector to be skipped; undefined for every other cause. */
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
