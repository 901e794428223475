import { applyPatch } from "rfc6902";
import { type Change, isObject, type Json, setMember, type Vector } from "../../../schemas/index.ts";
import type { FuzzDraw } from "../fuzz/draws.ts";

/** Draws a whole number from 0 up to, but not including, `count`. */
export type Below = (count: number) => number;

/** The maximum number of values of one message that are tried. */
const maxLength = 24;

/** The instance with other values of the same shape, each kept only if `isFine` accepts the whole; undefined if none can be kept. */
export function renameValues(instance: Json, below: Below, isFine: (instance: Json) => boolean): Json | undefined {
  let now = instance;
  for (const at of textsIn(instance).slice(0, maxLength)) {
    const next = replaceAt(now, at, (text) => respellText(text, below));
    if (isFine(next)) now = next;
  }
  return now === instance ? undefined : now;
}

/** The fault of a stored vector, injected into a parent with other values. Undefined if the change does not apply to that parent. */
export function replantFault({ change, site, at, fault }: Vector, parent: Json): FuzzDraw | undefined {
  if (change === undefined || site === undefined || at === undefined || fault === undefined) return undefined;
  const data = applyChanges(parent, change);
  return data === undefined ? undefined : { source: "faulty", data, site, at, fault, via: [], parent, change };
}

/** An instance after a change; undefined if the change does not apply. */
export function applyChanges(instance: Json, change: readonly Change[]): Json | undefined {
  const holder = { whole: structuredClone(instance) };
  const within = change.map((step): Change => {
    const movedStep = { ...structuredClone(step), path: `/whole${step.path}` };
    return "from" in movedStep ? { ...movedStep, from: `/whole${movedStep.from}` } : movedStep;
  });
  return applyPatch(holder, within).some((error) => error !== null) ? undefined : holder.whole;
}

/** The paths to every text in a value. */
function textsIn(value: Json, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value === "string") return value === "" ? [] : [path];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => textsIn(member, [...path, name]));
}

function replaceAt(value: Json, [name, ...path]: readonly string[], change: (text: string) => string): Json {
  if (name === undefined) return change(value as string);
  if (Array.isArray(value)) return value.with(Number(name), replaceAt(value[Number(name)] as Json, path, change));
  if (!isObject(value)) return value;
  const copy = { ...value };
  setMember(copy, name, replaceAt(value[name] as Json, path, change));
  return copy;
}

const classes = ["abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"];

/** A text of the same shape: letters become letters, digits become digits, and the rest stays. */
function respellText(text: string, below: Below): string {
  return text.replace(/[a-zA-Z0-9]/g, (character) => {
    const all = classes.find((each) => each.includes(character)) as string;
    return all[below(all.length)] as string;
  });
}
