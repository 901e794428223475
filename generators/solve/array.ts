import { equal, type Json } from "../../schemas/index.ts";
import { type Formula, isSame, negate, type Shape } from "../formulas/formula.ts";
import { fillPlaces } from "./fill.ts";
import { assignDemands } from "./item-demands.ts";
import type { Search } from "./search.ts";

const maxItems = 5000;

/** The maximum number of placements of demands that are tried for one length. */
const maxPlacements = 200;

/** Makes arrays of a shape, the shortest first. */
export function* makeArrays(search: Search, shape: Shape, hint: Json | undefined, depth: number): Generator<Json[]> {
  const { unique, repeated } = shape.array;
  if (unique && repeated) return;
  const { least, enough } = lengthBounds(shape, search.full);
  if (least > maxItems) {
    search.giveUp(`an array of at least ${least} items`);
    return;
  }
  const sample = Array.isArray(hint) ? hint : undefined;
  let isAnyBuilt = false;
  for (const length of orderLengths(least, Math.min(shape.array.max, enough + 3), search.full)) {
    // Longer arrays than necessary only add variety: if no shorter array exists, no longer one does.
    if (length > enough && !isAnyBuilt) continue;
    let triedCount = 0;
    const assignments =
      countPlacements(shape, length) <= maxPlacements
        ? placements(shape, length)
        : assignDemands(shape, length, possibleItems(search, shape, depth));
    for (const demands of assignments) {
      triedCount += 1;
      if (triedCount > maxPlacements) {
        search.giveUp(`the items of an array of ${length}`);
        break;
      }
      for (const built of buildArrays(search, shape, { demands, sample, depth })) {
        isAnyBuilt = true;
        yield built;
      }
    }
  }
  if (isAnyBuilt) search.giveUp("a further array");
}

/**
 * Computes the minimum length, and a length at which an array exists if one of any length does. Up to some position, the constraints differ from item
 * to item, and each further demand may need a separate item. Additional items are never necessary.
 */
function lengthBounds(shape: Shape, full: boolean): { least: number; enough: number } {
  const { min, some, contains, each, repeated } = shape.array;
  const maxOf = (numbers: number[]) => numbers.reduce((first, second) => Math.max(first, second), 0);
  const pair = repeated ? 2 : 0;
  const edge = maxOf([...each.map(({ from, to }) => (to === Infinity ? from : to)), ...some.map(({ from }) => from)]);
  const neededMatches = contains.reduce((sum, { min: each }) => sum + each, 0);
  const least = maxOf([min, pair, ...some.map(({ from }) => from + 1), ...contains.map(({ min: each }) => each)]);
  return { least, enough: maxOf([least, edge + neededMatches + some.length + pair, full ? 1 : 0]) };
}

/** Lists the lengths in trial order. If the search is full, the empty array comes last. */
function orderLengths(least: number, most: number, full: boolean): number[] {
  const lengths = Array.from({ length: Math.max(0, most - least + 1) }, (_, index) => least + index);
  return full && least === 0 ? [...lengths.slice(1), ...lengths.slice(0, 1)] : lengths;
}

/** Counts the ways to assign items to the demands. */
function countPlacements(shape: Shape, length: number): number {
  const { some, contains } = shape.array;
  const seatCounts = some.map(({ from, to }) => Math.max(0, Math.min(to, length) - from));
  const choiceCounts = contains.map(({ min, max }) => {
    let sum = 0;
    for (let size = min; size <= (max < length ? max : min); size += 1) sum += countSets(length, size);
    return sum;
  });
  return [...seatCounts, ...choiceCounts].reduce((product, count) => product * count, 1);
}

function countSets(length: number, size: number): number {
  let count = 1;
  for (let index = 0; index < size; index += 1) count = (count * (length - index)) / (index + 1);
  return count;
}

/** Returns a check for whether an item can satisfy formulas together with the constraints on all items there. Results are cached for similar items. */
function possibleItems(
  search: Search,
  shape: Shape,
  depth: number,
): (index: number, formulas: readonly Formula[]) => boolean {
  const numbers = new Map<Formula, number>();
  const numberOf = (formula: Formula): number => {
    if (!numbers.has(formula)) numbers.set(formula, numbers.size);
    return numbers.get(formula) as number;
  };
  const results = new Map<string, boolean>();
  return (index, demands) => {
    const each = shape.array.each.filter(({ from, to }) => index >= from && index < to).map(({ formula }) => formula);
    const formulas = [...demands, ...each];
    const key = formulas.map(numberOf).join(" ");
    let isPossible = results.get(key);
    if (isPossible === undefined) {
      isPossible = search.first(formulas, undefined, depth - 1) !== undefined;
      results.set(key, isPossible);
    }
    return isPossible;
  };
}

/** Yields assignments of demands to items: for each index, the additional formulas. */
function* placements(shape: Shape, length: number): Generator<Formula[][]> {
  const { some, contains } = shape.array;
  const placeDemands = function* (demandIndex: number, placedFormulas: Formula[][]): Generator<Formula[][]> {
    const demand = some[demandIndex];
    if (demand === undefined) yield placedFormulas;
    else
      for (let index = demand.from; index < Math.min(demand.to, length); index += 1)
        yield* placeDemands(
          demandIndex + 1,
          placedFormulas.map((formulas, position) => (position === index ? [...formulas, demand.formula] : formulas)),
        );
  };
  const noFormulas = Array.from({ length }, (): Formula[] => []);
  for (const seated of placeDemands(0, noFormulas))
    for (const chosen of chooseMatching(contains, length))
      yield seated.map((formulas, index) => [...formulas, ...(chosen[index] as Formula[])]);
}

/** Assigns as many items to each `contains` as it needs. If it has a maximum, the number is exact, so other items must not match. */
function* chooseMatching(contains: Shape["array"]["contains"], length: number): Generator<Formula[][]> {
  const [first, ...rest] = contains;
  if (first === undefined) {
    yield Array.from({ length }, () => []);
    return;
  }
  const { formula, min, max } = first;
  for (const others of chooseMatching(rest, length))
    for (let size = min; size <= (max < length ? max : min); size += 1)
      for (const chosen of combinations(length, size))
        yield others.map((formulas, index) => {
          if (chosen.has(index)) return [...formulas, formula];
          return max < length ? [...formulas, negate(formula)] : formulas;
        });
}

/** Yields all sets of `size` indexes, in order. */
function* combinations(length: number, size: number, from = 0): Generator<Set<number>> {
  if (size === 0) yield new Set();
  else
    for (let index = from; index <= length - size; index += 1)
      for (const rest of combinations(length, size - 1, index + 1)) yield new Set([index, ...rest]);
}

/** Makes arrays of one length with items that satisfy their requirements, with one item repeated if necessary. */
function* buildArrays(
  search: Search,
  shape: Shape,
  { demands, sample, depth }: { demands: Formula[][]; sample: Json[] | undefined; depth: number },
): Generator<Json[]> {
  const { each, repeated, unique } = shape.array;
  const itemFormulas = demands.map((itemDemands, index) => [
    ...itemDemands,
    ...each.filter(({ from, to }) => index >= from && index < to).map(({ formula }) => formula),
  ]);
  const valuesAt = (formulas: readonly Formula[], index: number) =>
    search.values(formulas, sample?.[index] ?? sample?.at(-1), depth - 1);
  // If items may be equal, an item gets the value of the previous one if its requirements are the same.
  let previous: { formulas: readonly Formula[]; hint: Json | undefined; first: Json | undefined } | undefined;
  const firstFor = (formulas: readonly Formula[], index: number): Json | undefined => {
    const hint = sample?.[index] ?? sample?.at(-1);
    if (previous === undefined || previous.hint !== hint || !isSame(previous.formulas, formulas))
      previous = { formulas, hint, first: search.first(formulas, hint, depth - 1) };
    return previous.first;
  };
  const valuesReusingFirst = function* (formulas: readonly Formula[], index: number): Generator<Json> {
    const first = firstFor(formulas, index);
    if (first === undefined) return;
    yield first;
    for (const value of valuesAt(formulas, index)) if (!equal(value, first)) yield value;
  };
  if (!repeated) {
    yield* fillPlaces(search, itemFormulas, unique ? valuesAt : valuesReusingFirst, { unique });
    return;
  }
  for (const [first, second] of indexPairs(itemFormulas)) {
    const both = [...(itemFormulas[first] as Formula[]), ...(itemFormulas[second] as Formula[])];
    const withBoth = itemFormulas.map((formulas, index) => (index === first ? both : formulas));
    for (const items of fillPlaces(search, withBoth, valuesAt))
      yield items.map((item, index) => (index === second ? (items[first] as Json) : item));
  }
}

/** Yields pairs of indexes. Of pairs with the same formulas, only the first is used. */
function* indexPairs(itemFormulas: readonly Formula[][]): Generator<[number, number]> {
  const triedPairs: [Formula[], Formula[]][] = [];
  for (let first = 0; first < itemFormulas.length; first += 1) {
    for (let second = itemFormulas.length - 1; second > first; second -= 1) {
      const pair: [Formula[], Formula[]] = [itemFormulas[first] as Formula[], itemFormulas[second] as Formula[]];
      if (triedPairs.some((tried) => isSame(tried[0], pair[0]) && isSame(tried[1], pair[1]))) continue;
      triedPairs.push(pair);
      yield [first, second];
    }
  }
}
