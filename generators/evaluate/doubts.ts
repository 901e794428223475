import { isObject, type Json } from "../../schemas/index.ts";
import { doubtOf } from "../formats/doubtful-times.ts";
import type { Keyword, Model } from "../model/model.ts";
import { hasNewCharacter } from "../regex/old-characters.ts";
import { isValid } from "./evaluate.ts";

/**
 * Returns why an implementation may correctly give an instance the opposite verdict. Undefined if no reason is found. Either the verdict depends on a
 * string that the grammar of its format allows but some implementations refuse, or a pattern uses a Unicode class and the instance has a character
 * that older Unicode tables lack.
 */
export function doubtIn(model: Model, instance: Json): string | undefined {
  if (hasClasses(model) && hasNewCharacterInside(instance))
    return "a character newer than Unicode 10 may be of no class for some";
  if (!hasFormats(model)) return undefined;
  const { effort: _, ...unlimited } = model;
  const valid = isValid(unlimited, instance);
  if (isValid(unlimited, instance, { withoutDoubt: true }) === valid) return undefined;
  let why: string | undefined;
  isValid(unlimited, instance, {
    observe: (keyword, _at, value) => {
      if (keyword.kind === "format" && typeof value === "string") why ??= doubtOf(keyword.format, value);
    },
  });
  return why;
}

/** Returns a function that checks whether some keyword of a model satisfies a condition. Results are cached. */
function createKeywordFinder(matches: (keyword: Keyword) => boolean): (model: Model) => boolean {
  const cache = new WeakMap<Model["nodes"], boolean>();
  return ({ nodes }) => {
    const hasKeyword = cache.get(nodes) ?? [...nodes.values()].some(({ keywords }) => keywords.some(matches));
    cache.set(nodes, hasKeyword);
    return hasKeyword;
  };
}

/** Whether a model asserts formats anywhere. */
export const hasFormats: (model: Model) => boolean = createKeywordFinder(({ kind }) => kind === "format");

/** Whether a model has patterns with Unicode classes, which grow with each version of Unicode. */
const hasClasses = createKeywordFinder((keyword) => {
  if (keyword.kind === "pattern") return hasUnicodeClass(keyword.source);
  return keyword.kind === "patternProperties" && keyword.entries.some(([source]) => hasUnicodeClass(source));
});

function hasUnicodeClass(pattern: string): boolean {
  return /\\p\{/i.test(pattern);
}

function hasNewCharacterInside(value: Json): boolean {
  if (typeof value === "string") return hasNewCharacter(value);
  if (Array.isArray(value)) return value.some(hasNewCharacterInside);
  return (
    isObject(value) &&
    Object.entries(value).some(([name, member]) => hasNewCharacter(name) || hasNewCharacterInside(member))
  );
}
