import { applyPatch } from "rfc6902";
import { type Change, isObject, type Json, setMember, type Vector } from "../../../schemas/index.ts";
import type { FuzzDraw } from "../fuzz/draws.ts";

/** Draws a whole number from 0 up to, but not including, `count`. */
export type Below = (count: number) => number;

/** The maximum number of strings of one message that are varied. */
const maxVariedStrings = 24;

/** Replaces strings of an instance with strings of the same shape. A replacement is kept only if the whole instance stays acceptable. Undefined if none is kept. */
export function renameValues(
  instance: Json,
  below: Below,
  isAcceptable: (instance: Json) => boolean,
): Json | undefined {
  let varied = instance;
  for (const path of stringPathsIn(instance).slice(0, maxVariedStrings)) {
    const candidate = replaceAt(varied, path, (text) => respell(text, below));
    if (isAcceptable(candidate)) varied = candidate;
  }
  return varied === instance ? undefined : varied;
}

/** Injects the fault of a stored vector into a parent with different values. Undefined if the change does not apply to that parent. */
export function replantFault({ change, site, at, fault }: Vector, parent: Json): FuzzDraw | undefined {
  if (change === undefined || site === undefined || at === undefined || fault === undefined) return undefined;
  const data = applyChanges(parent, change);
  return data === undefined ? undefined : { source: "faulty", data, site, at, fault, via: [], parent, change };
}

/** Applies a change to a copy of an instance; undefined if it does not apply. */
export function applyChanges(instance: Json, change: readonly Change[]): Json | undefined {
  const holder = { whole: structuredClone(instance) };
  const movedChanges = change.map((step): Change => {
    const movedStep = { ...structuredClone(step), path: `/whole${step.path}` };
    return "from" in movedStep ? { ...movedStep, from: `/whole${movedStep.from}` } : movedStep;
  });
  return applyPatch(holder, movedChanges).some((error) => error !== null) ? undefined : holder.whole;
}

/** Returns the paths to all strings in a value except empty ones. */
function stringPathsIn(value: Json, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value === "string") return value === "" ? [] : [path];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => stringPathsIn(member, [...path, name]));
}

function replaceAt(value: Json, [name, ...path]: readonly string[], change: (text: string) => string): Json {
  if (name === undefined) return change(value as string);
  if (Array.isArray(value)) return value.with(Number(name), replaceAt(value[Number(name)] as Json, path, change));
  if (!isObject(value)) return value;
  const copy = { ...value };
  setMember(copy, name, replaceAt(value[name] as Json, path, change));
  return copy;
}

const alphabets = ["abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"];

/** Draws a string of the same shape: letters become letters, digits become digits, and other characters stay. */
function respell(text: string, below: Below): string {
  return text.replace(/[a-zA-Z0-9]/g, (character) => {
    const alphabet = alphabets.find((candidate) => candidate.includes(character)) as string;
    return alphabet[below(alphabet.length)] as string;
  });
}
