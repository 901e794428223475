import { isObject, type Json } from "../../schemas/index.ts";
import { doubtOf } from "../formats/doubtful-times.ts";
import type { Keyword, Model } from "../model/model.ts";
import { hasNewCharacter } from "../regex/old-characters.ts";
import { isValid } from "./evaluate.ts";

/**
 * Why some may give an instance the other verdict, and are right: a text in it is of its format by the grammar and not for everyone, and
 * the verdict depends on that; or it has a character that older tables of Unicode do not know, and a pattern asks for a class of these.
 * Undefined if none does.
 */
export function doubtIn(model: Model, instance: Json): string | undefined {
  if (hasClasses(model) && isNew(instance)) return "a character newer than Unicode 10 may be of no class for some";
  if (!hasFormats(model)) return undefined;
  const { effort: _, ...free } = model;
  const valid = isValid(free, instance);
  if (isValid(free, instance, { withoutDoubt: true }) === valid) return undefined;
  let why: string | undefined;
  isValid(free, instance, {
    observe: (keyword, _at, value) => {
      if (keyword.kind === "format" && typeof value === "string") why ??= doubtOf(keyword.format, value);
    },
  });
  return why;
}

/** Whether some keyword of a model satisfies a condition; the result is cached. */
function findsKeyword(is: (keyword: Keyword) => boolean): (model: Model) => boolean {
  const known = new WeakMap<Model["nodes"], boolean>();
  return ({ nodes }) => {
    const found = known.get(nodes) ?? [...nodes.values()].some(({ keywords }) => keywords.some(is));
    known.set(nodes, found);
    return found;
  };
}

/** Whether a model asserts formats anywhere. */
export const hasFormats: (model: Model) => boolean = findsKeyword(({ kind }) => kind === "format");

/** Classes of Unicode, which grow with its versions. */
const hasClasses = findsKeyword((keyword) => {
  if (keyword.kind === "pattern") return isClassed(keyword.source);
  return keyword.kind === "patternProperties" && keyword.entries.some(([source]) => isClassed(source));
});

function isClassed(pattern: string): boolean {
  return /\\p\{/i.test(pattern);
}

function isNew(value: Json): boolean {
  if (typeof value === "string") return hasNewCharacter(value);
  if (Array.isArray(value)) return value.some(isNew);
  return isObject(value) && Object.entries(value).some(([name, member]) => hasNewCharacter(name) || isNew(member));
}
