import { type Change, isObject, type Json, pointer } from "../../schemas/index.ts";
import { applyChanges } from "../changes/patch.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { facet } from "../formulas/formula.ts";
import { kinds } from "../formulas/kinds.ts";
import { countInWords, type Family, type FaultContext, type Proposal, replace } from "./fault.ts";

/** Larger arrays and objects are not published. */
export const maxPublished = 300;

/** Arrays and objects with one item or member too few or too many. */
export const count: Family = {
  name: "count",
  keywords: ["minItems", "maxItems", "minProperties", "maxProperties"],
  *propose(context) {
    const { keyword, at, value } = context;
    if (
      keyword.kind !== "minItems" &&
      keyword.kind !== "maxItems" &&
      keyword.kind !== "minProperties" &&
      keyword.kind !== "maxProperties"
    )
      return;
    const { kind, limit, site } = keyword;
    const isMinimum = kind.startsWith("min");
    const wantedSize = isMinimum ? limit - 1 : limit + 1;
    if (wantedSize < 0 || wantedSize > maxPublished) return;
    const change = isMinimum && sizeOf(value) === limit ? shrink(at, value) : growTo(context, wantedSize);
    if (change === undefined) return;
    const part = kind.endsWith("Items") ? "item" : "member";
    yield {
      fault: isMinimum ? `too-few-${part}s` : `too-many-${part}s`,
      site,
      at,
      change,
      says: `has ${countInWords(wantedSize, part)}, ${isMinimum ? "under the minimum" : "over the maximum"} of ${limit}`,
      tags: ["boundary"],
    } satisfies Proposal;
  },
};

function sizeOf(value: Json): number {
  if (Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : -1;
}

function shrink(at: string, value: Json): Change[] | undefined {
  if (Array.isArray(value)) return [{ op: "remove", path: `${at}/${value.length - 1}` }];
  if (!isObject(value)) return undefined;
  const name = Object.keys(value).at(-1);
  return name === undefined ? undefined : [{ op: "remove", path: pointer.append(at, name) }];
}

/**
 * Grows a list or object to this size, with copies of its items or with solved ones. If the result breaks a semantic rule, tries items and names
 * similar to those of a valid instance, and uses the result that breaks the fewest rules.
 */
function growTo(context: FaultContext, size: number): Change[] | undefined {
  const { model, keyword, parent, at, value, ruleKeepingValues, countBreaches } = context;
  const breaksOnlyCount = (replacement: Json): boolean => {
    const data = applyChanges(parent, replace(at, replacement));
    return data !== undefined && isValid(model, data, { without: keyword.site }) && !isValid(model, data);
  };
  const lists = [value, ...ruleKeepingValues].filter(
    (entry): entry is Json[] => Array.isArray(entry) && entry.length > 0,
  );
  const repeated = Array.isArray(value) && value.length > 0 ? [repeatItems(value, size)].filter(breaksOnlyCount) : [];
  const candidate = repeated[0] ?? resize(context, size);
  if (candidate === undefined) return undefined;
  const countBreachesWith = (items: Json): number => countBreaches(applyChanges(parent, replace(at, items)) ?? null);
  let [best, fewest] = [candidate, countBreachesWith(candidate)];
  const parentBreaches = countBreaches(parent);
  if (fewest <= parentBreaches) return replace(at, candidate);
  const alternatives = [
    ...lists
      .slice(0, maxLists)
      .flatMap((items) => [repeatItems(items, size), ...listDifferingItems(items, size, breaksOnlyCount)]),
    ...[value, ...ruleKeepingValues].slice(0, maxLists).flatMap((members) => nameMembers(members, size)),
  ];
  for (const alternative of alternatives) {
    if (fewest <= parentBreaches) break;
    const count = breaksOnlyCount(alternative) ? countBreachesWith(alternative) : fewest;
    if (count < fewest) [best, fewest] = [alternative, count];
  }
  return replace(at, best);
}

/** The maximum number of lists with items that are tried. */
const maxLists = 3;

function repeatItems(items: readonly Json[], size: number): Json[] {
  return Array.from({ length: size }, (_, index) => items[index % items.length] as Json);
}

/** Makes lists of items that differ in their string, in the string of one member, or in all members for which a different string is valid. */
function listDifferingItems(
  [first]: readonly Json[],
  size: number,
  breaksOnlyCount: (items: Json) => boolean,
): Json[][] {
  const indices = Array.from({ length: size }, (_, index) => index);
  if (typeof first === "string") return [indices.map((index) => numberText(first, index))];
  if (!isObject(first)) return [];
  const texts = Object.entries(first).filter((each): each is [string, string] => typeof each[1] === "string");
  const numberMembers = (members: typeof texts): Json[] =>
    indices.map((index) => ({
      ...first,
      ...Object.fromEntries(members.map(([name, text]) => [name, numberText(text, index)])),
    }));
  return [
    ...texts.map((text) => numberMembers([text])),
    numberMembers(texts.filter((text) => breaksOnlyCount(numberMembers([text])))),
  ];
}

/** Makes objects with this many members, with names that differ in their letters or digits. */
function nameMembers(members: Json, size: number): Json[] {
  const [first] = isObject(members) ? Object.entries(members) : [];
  if (first === undefined || !isObject(members)) return [];
  const numberedEntries = Array.from({ length: size }, (_, index) => [numberText(first[0], index), first[1]] as const);
  return [
    { ...members, ...Object.fromEntries(numberedEntries.slice(Object.keys(members).length)) },
    Object.fromEntries(numberedEntries),
  ];
}

/** Counts a string up like an odometer of its letters and digits: `a9` plus 1 is `b0`. */
function numberText(text: string, number: number): string {
  let carry = number;
  // A string with four digits may be hexadecimal, so only its digits change.
  const alphabets = /(\d.*){4}/.test(text)
    ? ["0123456789"]
    : ["0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const characters = [...text].reverse().map((character) => {
    const alphabetOfCharacter = alphabets.find((alphabet) => alphabet.includes(character));
    if (alphabetOfCharacter === undefined) return character;
    const next = alphabetOfCharacter[
      (alphabetOfCharacter.indexOf(character) + carry) % alphabetOfCharacter.length
    ] as string;
    carry = Math.floor((alphabetOfCharacter.indexOf(character) + carry) / alphabetOfCharacter.length);
    return next;
  });
  return characters.reverse().join("");
}

/** Finds a similar value with exactly this many items or members. */
function resize({ keyword, value, solve }: FaultContext, size: number): Json | undefined {
  const isArrayKeyword = keyword.kind.endsWith("Items");
  const exact = facet(isArrayKeyword ? kinds.array : kinds.object, (shape) => {
    const part = isArrayKeyword ? shape.array : shape.object;
    part.min = size;
    part.max = size;
  });
  return solve([exact], value);
}
