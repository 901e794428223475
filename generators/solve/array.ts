import { equal, type Json } from "../../schemas/index.ts";
import { type Formula, negate, type Shape } from "./formula.ts";
import type { Search } from "./search.ts";
import { fits } from "./shape.ts";

const longest = 5000;

/** Arrays of a shape, the shortest first. */
export function* arrays(search: Search, shape: Shape, hint: Json | undefined, depth: number): Generator<Json[]> {
  const { min, max, some, contains, each, repeated } = shape.array;
  const wanted = contains.reduce((sum, { min: least }) => sum + least, 0);
  const first = each.reduce((edge, { from, to }) => Math.max(edge, to === Infinity ? from : to), 0);
  const furthest = some.reduce((edge, { from }) => Math.max(edge, Number.isFinite(from) ? from + 1 : 0), 0);
  const least = Math.max(min, furthest, wanted > 0 ? 1 : 0, repeated ? 2 : 0, search.full && max > 0 ? 1 : 0);
  if (least > longest) {
    search.giveUp(`an array of at least ${least} items`);
    return;
  }
  const most = Math.min(max, Math.max(least, first + wanted + some.length) + (repeated ? 2 : 1));
  for (let length = least; length <= most; length += 1) {
    for (const demands of placements(shape, length)) {
      const built = build(search, shape, length, demands, Array.isArray(hint) ? hint : undefined, depth);
      if (built !== undefined && fits(shape, built, () => true) && containsFit(search, shape, built)) yield built;
    }
  }
}

function containsFit(search: Search, shape: Shape, items: Json[]): boolean {
  return shape.array.contains.every(({ formula, min, max }) => {
    const found = items.filter((item) => search.holds(formula, item)).length;
    return found >= min && found <= max;
  });
}

/** Which item fulfils which demand: for each index the formulas it gets on top. */
function* placements(shape: Shape, length: number): Generator<Formula[][]> {
  const { some, contains, repeated } = shape.array;
  const base = (): Formula[][] => Array.from({ length }, () => []);
  const tasks: { candidates: number[]; formula: Formula }[] = [];
  for (const { from, to, formula } of some) {
    const candidates = indexes(length).filter((index) => index >= from && index < to);
    if (candidates.length === 0) return;
    tasks.push({ candidates, formula });
  }
  let given = 0;
  const seats = function* (task: number, taken: Formula[][]): Generator<Formula[][]> {
    const current = tasks[task];
    if (current === undefined) {
      yield taken;
      return;
    }
    for (const index of current.candidates) {
      const copy = taken.map((formulas) => [...formulas]);
      copy[index]?.push(current.formula);
      yield* seats(task + 1, copy);
    }
  };
  for (const seated of seats(0, base())) {
    for (const chosen of choose(contains, length)) {
      given += 1;
      if (given > 200) return;
      const demands = seated.map((formulas, index) => [...formulas, ...(chosen[index] ?? [])]);
      if (repeated && length < 2) continue;
      yield demands;
    }
  }
}

/** For each `contains` as many items as it needs; the others must not match where it has a maximum. */
function* choose(contains: Shape["array"]["contains"], length: number): Generator<Formula[][]> {
  const [first, ...rest] = contains;
  if (first === undefined) {
    yield Array.from({ length }, () => []);
    return;
  }
  if (first.min > length) return;
  for (const others of choose(rest, length)) {
    const starts = length - first.min;
    for (let start = 0; start <= starts; start += 1) {
      yield others.map((formulas, index) => {
        const inside = index >= start && index < start + first.min;
        if (inside) return [...formulas, first.formula];
        return first.max < length ? [...formulas, negate(first.formula)] : formulas;
      });
      if (first.min === 0) break;
    }
  }
}

function indexes(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}

function build(
  search: Search,
  shape: Shape,
  length: number,
  demands: Formula[][],
  sample: Json[] | undefined,
  depth: number,
): Json[] | undefined {
  const { each, unique, repeated } = shape.array;
  const items: Json[] = [];
  const formulas = (index: number) => [
    ...(demands[index] ?? []),
    ...each.filter(({ from, to }) => index >= from && index < to).map(({ formula }) => formula),
  ];
  for (let index = 0; index < length; index += 1) {
    search.spend();
    const hint = sample?.[index] ?? sample?.at(-1);
    const twin =
      repeated && index === length - 1
        ? items.find((item) => formulas(index).every((formula) => search.holds(formula, item)))
        : undefined;
    if (twin !== undefined) {
      items.push(twin);
      continue;
    }
    let made: Json | undefined;
    let tried = 0;
    for (const value of search.values(formulas(index), hint, depth - 1)) {
      tried += 1;
      if (!unique || !items.some((item) => equal(item, value))) {
        made = value;
        break;
      }
      if (tried > 2000) {
        search.giveUp(`${length} different items`);
        break;
      }
    }
    if (made === undefined) return undefined;
    items.push(made);
  }
  if (!unique || !repeated) return items;
  return undefined;
}
