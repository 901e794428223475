import { quote } from "./show.ts";

const beginning = "a server is never asked this: ";

/** A reason for which a vector is skipped whatever the target's owner says or changes. */
export function neverAsked(reason: string): string {
  return beginning + reason;
}

export function isNeverAsked(reason: string): boolean {
  return reason.startsWith(beginning);
}

/** The reason for which a document is skipped that has no validator where others have one. */
export function noValidator(document: string): string {
  return `${unvalidated}${document}`;
}

const unvalidated = "there is no validator for ";

/** What is lacking where a whole document is skipped for want of a validator or of a path, in a few words; undefined for every other reason. */
export function lackingFor(reason: string): string | undefined {
  if (reason.startsWith(unvalidated)) return "there is no validator";
  return reason.startsWith("no endpoint is known") ? "no endpoint is known" : undefined;
}

/** Whether a hook, a credential, an endpoint, an option or a claim would have it asked. */
export function isInYourHands(reason: string): boolean {
  return /^(needs |no endpoint is known|waits for |the hook "|options\.)|\(--[a-z-]+\)/.test(reason);
}

const advising = "; so that one is found, ";

/** The reason for which a path at which nothing is says nothing of a message, with what to do where nothing valid is found. */
export function notThere(advice: string): string {
  return `the server has nothing at this path, as it may say to valid and invalid requests alike${advising}${advice}`;
}

/** Such a reason without the advice; undefined for every other. */
export function notThereIn(reason: string): string | undefined {
  const at = reason.indexOf(advising);
  return at === -1 ? undefined : reason.slice(0, at);
}

const saying = "; it said: ";

/** A reason with the body of the answer that it comes from, where there was one. */
export function withBody(reason: string, body: string): string {
  return body === "" ? reason : `${reason}${saying}${quote(body)}`;
}

/** A reason without what the target said, which is another each time; and that. */
export function reasonAndBody(reason: string): [reason: string, body: string | undefined] {
  const at = reason.indexOf(saying);
  return at === -1 ? [reason, undefined] : [reason.slice(0, at), reason.slice(at + saying.length)];
}

/** The reason for which an answer with a code says nothing of a message, in the profile's words. */
export function unjudged(why: string, code: string | number): string {
  return `${why} (code ${quote(String(code))})`;
}

/** The code in such a reason; undefined for every other. */
export function unjudgedCode(reason: string): string | undefined {
  return / \(code ([^()]+)\)$/.exec(reason)?.[1];
}

const skipping = "the target skips it: ";

/** The reason for which a vector is skipped that the target will not judge, with what it says of that. */
export function skippedByTarget(why: string): string {
  return skipping + quote(why);
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
  return plural.reduce((said, [one, several]) => said.replace(one, several), reason);
}

/** In a few words what a target did for which a vector that it was asked is not judged; undefined for every other reason. */
export function doneByTarget(reason: string): string | undefined {
  const status = /^HTTP (\d{3}): /.exec(reason)?.[1];
  if (status !== undefined) return `the target answers HTTP ${status}`;
  if (/^its valid parent is refused|^nothing valid of /.test(reason))
    return "the target refuses the valid messages that they are made of";
  if (reason.startsWith(skipping)) return "the target skips them";
  if (reason.startsWith("not decided: the tool refused"))
    return "the tool refuses without saying that the input is invalid";
  return reason.startsWith("the server remembers this") ? "the server remembers values of an earlier run" : undefined;
}
