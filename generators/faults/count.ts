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
    const size = Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : -1;
    const change = isMinimum && size === limit ? shrink(at, value) : growTo(context, wantedSize);
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

function shrink(at: string, value: Json): Change[] | undefined {
  if (Array.isArray(value)) return [{ op: "remove", path: `${at}/${value.length - 1}` }];
  if (!isObject(value)) return undefined;
  const name = Object.keys(value).at(-1);
  return name === undefined ? undefined : [{ op: "remove", path: pointer.append(at, name) }];
}

/**
 * A list or object of this size: the existing items repeated, or solved ones. If these break a semantic rule, items and names similar to those
 * of a correct instance are tried, and the result that breaks the fewest rules is used.
 */
function growTo(context: FaultContext, size: number): Change[] | undefined {
  const { model, keyword, parent, at, value, right, broken } = context;
  const breaksOnlyCount = (items: Json): boolean => {
    const data = applyChanges(parent, replace(at, items));
    return data !== undefined && isValid(model, data, { without: keyword.site }) && !isValid(model, data);
  };
  const lists = [value, ...right].filter((each): each is Json[] => Array.isArray(each) && each.length > 0);
  const repeated = Array.isArray(value) && value.length > 0 ? [repeatItems(value, size)].filter(breaksOnlyCount) : [];
  const known = repeated[0] ?? resize(context, size);
  if (known === undefined) return undefined;
  const breaks = (items: Json): number => broken(applyChanges(parent, replace(at, items)) ?? null);
  let [best, fewest] = [known, breaks(known)];
  const accepted = broken(parent);
  if (fewest <= accepted) return replace(at, known);
  const others = [
    ...lists
      .slice(0, maxLists)
      .flatMap((items) => [repeatItems(items, size), ...listDifferingItems(items, size, breaksOnlyCount)]),
    ...[value, ...right].slice(0, maxLists).flatMap((members) => nameMembers(members, size)),
  ];
  for (const other of others) {
    if (fewest <= accepted) break;
    const count = breaksOnlyCount(other) ? breaks(other) : fewest;
    if (count < fewest) [best, fewest] = [other, count];
  }
  return replace(at, best);
}

/** The maximum number of lists with items that are tried. */
const maxLists = 3;

function repeatItems(items: readonly Json[], size: number): Json[] {
  return Array.from({ length: size }, (_, index) => items[index % items.length] as Json);
}

/** Lists of items that differ in their text, in the text of one member, or in all members for which another text is valid. */
function listDifferingItems(
  [first]: readonly Json[],
  size: number,
  breaksOnlyCount: (items: Json) => boolean,
): Json[][] {
  const all = Array.from({ length: size }, (_, index) => index);
  if (typeof first === "string") return [all.map((index) => numberText(first, index))];
  if (!isObject(first)) return [];
  const texts = Object.entries(first).filter((each): each is [string, string] => typeof each[1] === "string");
  const differingIn = (some: typeof texts): Json[] =>
    all.map((index) => ({
      ...first,
      ...Object.fromEntries(some.map(([name, text]) => [name, numberText(text, index)])),
    }));
  return [
    ...texts.map((text) => differingIn([text])),
    differingIn(texts.filter((text) => breaksOnlyCount(differingIn([text])))),
  ];
}

/** Objects with this many members, with names that differ in their letters or digits. */
function nameMembers(members: Json, size: number): Json[] {
  const [first] = isObject(members) ? Object.entries(members) : [];
  if (first === undefined || !isObject(members)) return [];
  const more = Array.from({ length: size }, (_, index) => [numberText(first[0], index), first[1]] as const);
  return [{ ...members, ...Object.fromEntries(more.slice(Object.keys(members).length)) }, Object.fromEntries(more)];
}

/** The text with a number added to its last letters or digits, of the same kind. */
function numberText(text: string, number: number): string {
  let left = number;
  // Letters among many digits may be hexadecimal digits too.
  const alphabets = /(\d.*){4}/.test(text)
    ? ["0123456789"]
    : ["0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const characters = [...text].reverse().map((character) => {
    const kind = alphabets.find((alphabet) => alphabet.includes(character));
    if (kind === undefined) return character;
    const next = kind[(kind.indexOf(character) + left) % kind.length] as string;
    left = Math.floor((kind.indexOf(character) + left) / kind.length);
    return next;
  });
  return characters.reverse().join("");
}

/** The same value with exactly this many items or members. */
function resize({ keyword, value, solve }: FaultContext, size: number): Json | undefined {
  const items = keyword.kind.endsWith("Items");
  const exact = facet(items ? kinds.array : kinds.object, (shape) => {
    const part = items ? shape.array : shape.object;
    part.min = size;
    part.max = size;
  });
  return solve([exact], value);
}
