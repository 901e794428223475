import { type Formula, negate, type Shape } from "../formulas/formula.ts";

/** A demand on items: between `min` and `max` items from `from` up to but not including `to` fulfil the formula. */
interface ItemDemand {
  formula: Formula;
  /** The constraint on the other items, if at most `max` may match. */
  opposite: Formula | undefined;
  from: number;
  to: number;
  min: number;
  max: number;
}

/** Demands that one item satisfies, and all its formulas. */
interface SeatChoice {
  chosen: readonly ItemDemand[];
  formulas: Formula[];
}

type SeatCounts = readonly number[];

/**
 * Assignments of a shape's demands to the items of arrays of one length: for each item, the additional formulas. `isPossible` says whether an item at an
 * index can fulfil several formulas.
 */
export function* seats(
  shape: Shape,
  length: number,
  isPossible: (index: number, formulas: readonly Formula[]) => boolean,
): Generator<Formula[][]> {
  const demands = demandsOf(shape, length);
  const atOnce = mostAtOnce(demands, length, isPossible);
  const hopeless = new Set<string>();

  const known = new Map<string, SeatChoice[]>();
  const choicesAt = (index: number, counts: SeatCounts): SeatChoice[] => {
    const open = demands.filter(
      ({ from, to, min, max }, at) =>
        index >= from && index < to && (counts[at] as number) < (max < length ? max : min),
    );
    const key = `${index} ${open.map((demand) => demands.indexOf(demand)).join(" ")}`;
    const choices = known.get(key) ?? choicesAmong(open, demands, (formulas) => isPossible(index, formulas));
    known.set(key, choices);
    return choices;
  };

  const assignFrom = function* (index: number, counts: SeatCounts): Generator<Formula[][]> {
    const lacking = demands.reduce((sum, { min }, at) => sum + Math.max(0, min - (counts[at] as number)), 0);
    if (lacking > (length - index) * atOnce) return;
    if (index === length) {
      yield [];
      return;
    }
    const key = `${index} ${counts.join(" ")}`;
    if (hopeless.has(key)) return;
    let found = false;
    for (const { chosen, formulas } of choicesAt(index, counts)) {
      const after = counts.map((count, at) => count + (chosen.includes(demands[at] as ItemDemand) ? 1 : 0));
      for (const rest of assignFrom(index + 1, after)) {
        found = true;
        yield [formulas, ...rest];
      }
    }
    if (!found) hopeless.add(key);
  };
  yield* assignFrom(
    0,
    demands.map(() => 0),
  );
}

function demandsOf(shape: Shape, length: number): ItemDemand[] {
  const { some, contains } = shape.array;
  return [
    ...contains.map(({ formula, min, max }) => ({
      formula,
      opposite: max < length ? negate(formula) : undefined,
      from: 0,
      to: length,
      min,
      max,
    })),
    ...some.map(({ from, to, formula }) => ({ formula, opposite: undefined, from, to, min: 1, max: 1 })),
  ];
}

/** The choices for one item, those with the most demands first. */
function choicesAmong(
  open: readonly ItemDemand[],
  demands: readonly ItemDemand[],
  isPossible: (formulas: readonly Formula[]) => boolean,
): SeatChoice[] {
  let sets: ItemDemand[][] = [[]];
  for (const demand of open)
    sets = sets.flatMap((set) => {
      const larger = [...set, demand];
      return isPossible(larger.map(({ formula }) => formula)) ? [larger, set] : [set];
    });
  return sets
    .sort((a, b) => b.length - a.length)
    .map((chosen) => ({
      chosen,
      formulas: demands.flatMap((demand) =>
        chosen.includes(demand) ? [demand.formula] : demand.opposite === undefined ? [] : [demand.opposite],
      ),
    }))
    .filter(({ formulas }) => isPossible(formulas));
}

/** The maximum number of demands that one item can fulfil, as far as pairs of demands show. */
function mostAtOnce(
  demands: readonly ItemDemand[],
  length: number,
  isPossible: (index: number, formulas: readonly Formula[]) => boolean,
): number {
  for (const [at, one] of demands.entries())
    for (const other of demands.slice(at + 1))
      for (let index = 0; index < length; index += 1)
        if (isPossible(index, [one.formula, other.formula])) return demands.length;
  return 1;
}
