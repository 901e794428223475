import { InvalidArgumentError } from "commander";
import type { Capability } from "../../../schemas/index.ts";
import { capabilities, nearestName, TouchstoneError } from "../../../schemas/light-entry.ts";
import { rememberSecrets, secretsIn } from "../../base/secrets/index.ts";

/** Makes a parser for whole numbers within bounds. */
export function wholeNumber(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^[0-9]+$/.test(text) || number < minimum || number > maximum) {
      throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`);
    }
    return number;
  };
}

/** Parses an option that may be given several times. */
export function repeatable<T>(parse: (text: string) => T): (text: string, earlier: T[] | undefined) => T[] {
  return (text, before = []) => [...before, parse(text)];
}

/** Creates an error that does not quote the value, which may be a secret. (The errors of commander would quote it.) */
function unquotedError(problem: string, form: string, advice = ""): TouchstoneError {
  return new TouchstoneError("usage", `${problem} does not have the form ${form}`, {
    hint: `${advice}it is not shown here because it may be a secret`,
  });
}

/** Advice for an address without a scheme. */
function schemeAdvice(text: string): string {
  return !text.includes("://") && URL.canParse(`http://${text}`) ? "put http:// before it; " : "";
}

/** Parses `Name: value`. */
export function header(text: string): [name: string, value: string] {
  const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n\0]*)$/.exec(text);
  if (match === null) throw unquotedError("the value of --header", '"Name: value"');
  const [, name = "", value = ""] = match;
  rememberSecrets(secretsIn({ headers: { [name]: value } }));
  return [name, value];
}

/** Parses comma-separated capabilities, or the word `none`. */
export function claimsIn(text: string): Capability[] {
  const names = text === "none" ? [] : text.split(",").map((name) => name.trim());
  const unknownName = names.find((name) => !Object.hasOwn(capabilities, name));
  if (unknownName === undefined) return names as Capability[];
  const knownNames = Object.keys(capabilities);
  throw new InvalidArgumentError(
    `There is no capability "${unknownName}": ${nearestName(unknownName, knownNames)}give none, or some of ${knownNames.join(", ")}.`,
  );
}

/** Parses `DOCUMENT=/path`. */
export function endpoint(text: string): [document: string, path: string] {
  const match = /^([^=\s]+)=(\/.*)$/.exec(text);
  if (match === null) throw new InvalidArgumentError('It must look like "DOCUMENT=/path".');
  const [, name = "", value = ""] = match;
  rememberSecrets(secretsIn({ headers: { [name]: value } }));
  return [name, value];
}

export function httpUrl(text: string): string {
  rememberSecrets(secretsIn({ url: text }));
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw unquotedError("the value of --http", "of a URL that begins with http:// or https://", schemeAdvice(text));
  }
  try {
    decodeURIComponent(`${url.username}${url.password}`);
  } catch {
    throw new InvalidArgumentError("Its user name or password has a % without two hexadecimal digits: write %25.");
  }
  return text;
}

/** The description of an option that several commands share. */
export const readingHelp =
  "how to read the specification where it contradicts itself, see `list readings` (repeatable; default: either answer is accepted)";

/** Parses a requirement level. */
export function level(text: string): "must" | "should" | "may" {
  const knownLevel = (["must", "should", "may"] as const).find((each) => each === text.toLowerCase());
  if (knownLevel === undefined) throw new InvalidArgumentError("It must be must, should or may.");
  return knownLevel;
}
