import type { Json } from "../../../schemas/index.ts";
import { holdsAt } from "../../evaluate/evaluate.ts";
import { addSteps, placesOf } from "../../keywords/decimal.ts";
import { isMultiple, tinyStep } from "../../keywords/multiple-of.ts";
import type { Node } from "../../model/model.ts";
import type { Operator } from "../mutant.ts";
import { loosenKeyword, strengthen } from "../schema-edits.ts";

/** The maximum number of values of each kind, and of multiples to search. */
const maxima = { values: 24, multiples: 2000 };

/** Numbers that JavaScript and other languages print with an exponent and without a decimal point. */
const exponentNumbers = [2e-7, 3e-7, 7e-7, -2e-7, -7e-7];

/** The fraction of a step that a tolerant comparison ignores. */
const tolerance = 0.005;

/**
 * Mutants of a fractional `multipleOf` that use binary arithmetic: for 0.01, the product of 0.55 and 100 is not an integer, and the remainder of 0.03 is not
 * 0. They use only values on which exact arithmetic and common validators agree, so implementations that divide in the same way pass.
 */
export const multipleOperator: Operator = {
  name: "binary-multiple",
  *mutate(node, model, raw) {
    for (const keyword of node.keywords) {
      if (keyword.kind !== "multipleOf" || Number.isInteger(keyword.limit)) continue;
      const { site, limit } = keyword;
      const holds = (value: Json): boolean => holdsAt(model, node.location, value);
      const onlyKeywordRefuses = (value: number): boolean =>
        isMultiple(value, limit) === false && holdsAt(model, node.location, value, { without: site });
      const validMultiples = multiplesOf(node, limit).filter(holds);
      const common = { isFineGrained: true, isTriedEarly: true, site, keyword: "multipleOf" } as const;
      for (const [says, refused] of binaryHabits(validMultiples, limit))
        if (refused.length > 0)
          yield { ...common, effect: "stronger", says, ...strengthen(node, raw, { not: { enum: refused } }) };
      const tinyNumbers = exponentNumbers.filter(onlyKeywordRefuses);
      const loosened = tinyNumbers.length === 0 ? undefined : loosenKeyword(node, raw, keyword, { enum: tinyNumbers });
      const says = "decimals are counted in the printed number, which may have an exponent";
      if (loosened !== undefined) yield { ...common, effect: "weaker", needsOneKill: true, says, ...loosened };
      for (const [says, times, step] of [
        ["a number just above a multiple is accepted", tolerance, limit],
        ["a number just below a multiple is accepted", -tolerance, limit],
        ["a number within a tolerance of a multiple is accepted", 1, tinyStep(limit)],
      ] as const) {
        const nearMisses = nearMultiples(validMultiples, { times, step })
          .filter(onlyKeywordRefuses)
          .slice(0, maxima.values);
        const changed = nearMisses.length === 0 ? undefined : loosenKeyword(node, raw, keyword, { enum: nearMisses });
        if (changed !== undefined) yield { ...common, effect: "weaker", says, ...changed };
      }
    }
  },
};

/** Lists two checks in binary arithmetic, with the multiples that they wrongly refuse. Multiples that both refuse come first. */
function binaryHabits(multiples: readonly number[], limit: number): [says: string, refused: number[]][] {
  const factor = factorOf(limit);
  const withRemainder = multiples.filter((value) => value % limit !== 0);
  const withFraction = factor === undefined ? [] : multiples.filter((value) => !Number.isInteger(value * factor));
  const withBoth = withRemainder.filter((value) => withFraction.includes(value));
  const firstOf = (values: readonly number[]): number[] => [...new Set(values)].slice(0, maxima.values);
  return [
    [`it is multiplied by ${factor} and must be an integer then`, firstOf([...withBoth, ...withFraction])],
    [
      `the remainder of ${limit} must be exactly 0`,
      firstOf([...withBoth.slice(0, maxima.values / 2), ...withRemainder]),
    ],
  ];
}

/** Returns the factor that converts multiples to integers: 100 for 0.01, none for 0.03. */
function factorOf(limit: number): number | undefined {
  const factor = Math.round(1 / limit);
  return addSteps(0, factor, limit) === 1 ? factor : undefined;
}

/** Lists the multiples nearest to 0 that the schema's bounds allow. */
function multiplesOf({ keywords }: Node, limit: number): number[] {
  let [low, high] = [-Infinity, Infinity];
  for (const keyword of keywords) {
    if (keyword.kind === "minimum" || keyword.kind === "exclusiveMinimum") low = Math.max(low, keyword.limit);
    if (keyword.kind === "maximum" || keyword.kind === "exclusiveMaximum") high = Math.min(high, keyword.limit);
  }
  const isDescending = high <= 0;
  const first = isDescending ? Math.floor(high / limit) : Math.ceil(Math.max(low, 0) / limit);
  return Array.from({ length: maxima.multiples }, (_, index) =>
    addSteps(0, first + (isDescending ? -index : index), limit),
  ).filter((value) => value >= low && value <= high);
}

/** Numbers near the multiples, with few enough digits to be sent unchanged. */
function nearMultiples(multiples: readonly number[], { times, step }: { times: number; step: number }): number[] {
  const maxPlaces = placesOf(step) + placesOf(times);
  return multiples
    .filter((value) => value !== 0)
    .map((value) => addSteps(value, times, step))
    .filter((value) => placesOf(value) <= maxPlaces);
}
