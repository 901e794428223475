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

/** The demands that one item satisfies, and all its formulas. */
interface SeatChoice {
  chosen: readonly ItemDemand[];
  formulas: Formula[];
}

type SeatCounts = readonly number[];

/**
 * Assigns a shape's demands to the items of arrays of one length. Yields the additional formulas for each item. `isPossible` says whether an item at an index
 * can fulfil several formulas together.
 */
export function* assignDemands(
  shape: Shape,
  length: number,
  isPossible: (index: number, formulas: readonly Formula[]) => boolean,
): Generator<Formula[][]> {
  const demands = demandsOf(shape, length);
  const maxPerItem = maxDemandsPerItem(demands, length, isPossible);
  const hopeless = new Set<string>();

  const choicesByKey = new Map<string, SeatChoice[]>();
  const choicesAt = (index: number, counts: SeatCounts): SeatChoice[] => {
    const openDemands = demands.filter(
      ({ from, to, min, max }, demandIndex) =>
        index >= from && index < to && (counts[demandIndex] as number) < (max < length ? max : min),
    );
    const key = `${index} ${openDemands.map((demand) => demands.indexOf(demand)).join(" ")}`;
    const choices =
      choicesByKey.get(key) ?? choicesAmong(openDemands, demands, (formulas) => isPossible(index, formulas));
    choicesByKey.set(key, choices);
    return choices;
  };

  const assignFrom = function* (index: number, counts: SeatCounts): Generator<Formula[][]> {
    const missingCount = demands.reduce(
      (sum, { min }, demandIndex) => sum + Math.max(0, min - (counts[demandIndex] as number)),
      0,
    );
    if (missingCount > (length - index) * maxPerItem) return;
    if (index === length) {
      yield [];
      return;
    }
    const key = `${index} ${counts.join(" ")}`;
    if (hopeless.has(key)) return;
    let hasAssignment = false;
    for (const { chosen, formulas } of choicesAt(index, counts)) {
      const nextCounts = counts.map(
        (count, demandIndex) => count + (chosen.includes(demands[demandIndex] as ItemDemand) ? 1 : 0),
      );
      for (const rest of assignFrom(index + 1, nextCounts)) {
        hasAssignment = true;
        yield [formulas, ...rest];
      }
    }
    if (!hasAssignment) hopeless.add(key);
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

/** Lists the choices for one item, with the most demands first. */
function choicesAmong(
  openDemands: readonly ItemDemand[],
  demands: readonly ItemDemand[],
  isPossible: (formulas: readonly Formula[]) => boolean,
): SeatChoice[] {
  let sets: ItemDemand[][] = [[]];
  for (const demand of openDemands)
    sets = sets.flatMap((set) => {
      const larger = [...set, demand];
      return isPossible(larger.map(({ formula }) => formula)) ? [larger, set] : [set];
    });
  return sets
    .sort((first, second) => second.length - first.length)
    .map((chosen) => ({
      chosen,
      formulas: demands.flatMap((demand) => (chosen.includes(demand) ? demand.formula : (demand.opposite ?? []))),
    }))
    .filter(({ formulas }) => isPossible(formulas));
}

/** Returns an upper limit for the number of demands that one item can fulfil: 1 if no two fit together. */
function maxDemandsPerItem(
  demands: readonly ItemDemand[],
  length: number,
  isPossible: (index: number, formulas: readonly Formula[]) => boolean,
): number {
  for (const [position, first] of demands.entries())
    for (const second of demands.slice(position + 1))
      for (let index = 0; index < length; index += 1)
        if (isPossible(index, [first.formula, second.formula])) return demands.length;
  return 1;
}
