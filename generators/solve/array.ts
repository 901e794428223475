import { equal, type Json } from "../../schemas/index.ts";
import { type Formula, isSame, negate, type Shape } from "../formulas/formula.ts";
import { fill } from "./fill.ts";
import { seats } from "./item-demands.ts";
import type { Search } from "./search.ts";

const maxItems = 5000;

/** The maximum number of placements of demands tried for one length. */
const maxWays = 200;

/** Arrays of a shape, the shortest first. */
export function* arrays(search: Search, shape: Shape, hint: Json | undefined, depth: number): Generator<Json[]> {
  const { unique, repeated } = shape.array;
  if (unique && repeated) return;
  const { least, enough } = lengthBounds(shape, search.full);
  if (least > maxItems) {
    search.giveUp(`an array of at least ${least} items`);
    return;
  }
  const sample = Array.isArray(hint) ? hint : undefined;
  let found = false;
  for (const length of orderLengths(least, Math.min(shape.array.max, enough + 3), search.full)) {
    // Longer arrays than necessary only add variety: if no shorter array exists, no longer one does.
    if (length > enough && !found) continue;
    let tried = 0;
    const ways =
      countPlacements(shape, length) <= maxWays
        ? placements(shape, length)
        : seats(shape, length, possibleItems(search, shape, depth));
    for (const demands of ways) {
      tried += 1;
      if (tried > maxWays) {
        search.giveUp(`the items of an array of ${length}`);
        break;
      }
      for (const built of buildArrays(search, shape, { demands, sample, depth })) {
        found = true;
        yield built;
      }
    }
  }
  if (found) search.giveUp("a further array");
}

/**
 * The minimum length, and a sufficient length. Up to some position the constraints differ from item to item, and each further demand needs an item of its
 * own; other items could be left out.
 */
function lengthBounds(shape: Shape, full: boolean): { least: number; enough: number } {
  const { min, some, contains, each, repeated } = shape.array;
  const maxOf = (numbers: number[]) => numbers.reduce((a, b) => Math.max(a, b), 0);
  const pair = repeated ? 2 : 0;
  const edge = maxOf([...each.map(({ from, to }) => (to === Infinity ? from : to)), ...some.map(({ from }) => from)]);
  const wanted = contains.reduce((sum, { min: each }) => sum + each, 0);
  const least = maxOf([min, pair, ...some.map(({ from }) => from + 1), ...contains.map(({ min: each }) => each)]);
  return { least, enough: maxOf([least, edge + wanted + some.length + pair, full ? 1 : 0]) };
}

/** Lengths in the order of trial. Full arrays are empty only if they must be. */
function orderLengths(least: number, most: number, full: boolean): number[] {
  const all = Array.from({ length: Math.max(0, most - least + 1) }, (_, index) => least + index);
  return full && least === 0 ? [...all.slice(1), ...all.slice(0, 1)] : all;
}

/** The number of ways to assign items to the demands. */
function countPlacements(shape: Shape, length: number): number {
  const { some, contains } = shape.array;
  const seated = some.map(({ from, to }) => Math.max(0, Math.min(to, length) - from));
  const chosen = contains.map(({ min, max }) => {
    let sum = 0;
    for (let size = min; size <= (max < length ? max : min); size += 1) sum += countSets(length, size);
    return sum;
  });
  return [...seated, ...chosen].reduce((product, count) => product * count, 1);
}

function countSets(length: number, size: number): number {
  let count = 1;
  for (let index = 0; index < size; index += 1) count = (count * (length - index)) / (index + 1);
  return count;
}

/** Whether an item can satisfy formulas together with the constraints on all items there. Results are cached for similar items. */
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
  const known = new Map<string, boolean>();
  return (index, demands) => {
    const each = shape.array.each.filter(({ from, to }) => index >= from && index < to).map(({ formula }) => formula);
    const formulas = [...demands, ...each];
    const key = formulas.map(numberOf).join(" ");
    let answer = known.get(key);
    if (answer === undefined) {
      answer = search.first(formulas, undefined, depth - 1) !== undefined;
      known.set(key, answer);
    }
    return answer;
  };
}

/** Assignments of demands to items: for each index, the additional formulas. */
function* placements(shape: Shape, length: number): Generator<Formula[][]> {
  const { some, contains } = shape.array;
  const seats = function* (task: number, taken: Formula[][]): Generator<Formula[][]> {
    const demand = some[task];
    if (demand === undefined) yield taken;
    else
      for (let index = demand.from; index < Math.min(demand.to, length); index += 1)
        yield* seats(
          task + 1,
          taken.map((formulas, at) => (at === index ? [...formulas, demand.formula] : formulas)),
        );
  };
  const none = Array.from({ length }, (): Formula[] => []);
  for (const seated of seats(0, none))
    for (const chosen of choose(contains, length))
      yield seated.map((formulas, index) => [...formulas, ...(chosen[index] as Formula[])]);
}

/** For each `contains`, as many items as it needs. If it has a maximum, the number is exact: other items must not match. */
function* choose(contains: Shape["array"]["contains"], length: number): Generator<Formula[][]> {
  const [first, ...rest] = contains;
  if (first === undefined) {
    yield Array.from({ length }, () => []);
    return;
  }
  const { formula, min, max } = first;
  for (const others of choose(rest, length))
    for (let size = min; size <= (max < length ? max : min); size += 1)
      for (const chosen of combinations(length, size))
        yield others.map((formulas, index) => {
          if (chosen.has(index)) return [...formulas, formula];
          return max < length ? [...formulas, negate(formula)] : formulas;
        });
}

/** The sets of this many indexes, in order. */
function* combinations(length: number, size: number, from = 0): Generator<Set<number>> {
  if (size === 0) yield new Set();
  else
    for (let index = from; index <= length - size; index += 1)
      for (const rest of combinations(length, size - 1, index + 1)) yield new Set([index, ...rest]);
}

/** The arrays of one length with items that satisfy their requirements, with one of them repeated if necessary. */
function* buildArrays(
  search: Search,
  shape: Shape,
  { demands, sample, depth }: { demands: Formula[][]; sample: Json[] | undefined; depth: number },
): Generator<Json[]> {
  const { each, repeated, unique } = shape.array;
  const wanted = demands.map((own, index) => [
    ...own,
    ...each.filter(({ from, to }) => index >= from && index < to).map(({ formula }) => formula),
  ]);
  const values = (formulas: readonly Formula[], index: number) =>
    search.values(formulas, sample?.[index] ?? sample?.at(-1), depth - 1);
  // If items may be equal, similar items get the value of the one before.
  let before: { formulas: readonly Formula[]; hint: Json | undefined; first: Json | undefined } | undefined;
  const firstFor = (formulas: readonly Formula[], index: number): Json | undefined => {
    const hint = sample?.[index] ?? sample?.at(-1);
    if (before === undefined || before.hint !== hint || !isSame(before.formulas, formulas))
      before = { formulas, hint, first: search.first(formulas, hint, depth - 1) };
    return before.first;
  };
  const oneByOne = function* (formulas: readonly Formula[], index: number): Generator<Json> {
    const first = firstFor(formulas, index);
    if (first === undefined) return;
    yield first;
    for (const value of values(formulas, index)) if (!equal(value, first)) yield value;
  };
  if (!repeated) {
    yield* fill(search, wanted, unique ? values : oneByOne, unique);
    return;
  }
  for (const [one, other] of indexPairs(wanted)) {
    const both = [...(wanted[one] as Formula[]), ...(wanted[other] as Formula[])];
    const once = wanted.map((formulas, index) => (index === one ? both : formulas));
    for (const items of fill(search, once, values, false))
      yield items.map((item, index) => (index === other ? (items[one] as Json) : item));
  }
}

/** Pairs of indexes. Of pairs with the same formulas, only the first is used. */
function* indexPairs(wanted: readonly Formula[][]): Generator<[number, number]> {
  const tried: [Formula[], Formula[]][] = [];
  for (let one = 0; one < wanted.length; one += 1) {
    for (let other = wanted.length - 1; other > one; other -= 1) {
      const pair: [Formula[], Formula[]] = [wanted[one] as Formula[], wanted[other] as Formula[]];
      if (tried.some(([a, b]) => isSame(a, pair[0]) && isSame(b, pair[1]))) continue;
      tried.push(pair);
      yield [one, other];
    }
  }
}
