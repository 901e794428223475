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
const exponents = [2e-7, 3e-7, 7e-7, -2e-7, -7e-7];

/** The fraction of a step that a tolerant comparison ignores. */
const tolerance = 0.005;

/**
 * Mutants of a fractional `multipleOf` that use binary arithmetic: for 0.01, the product of 0.55 and 100 is not an integer, and the remainder of 0.03 is not
 * 0. They use only values on which exact arithmetic and common validators agree, so implementations that divide as these do pass.
 */
export const multipleOperator: Operator = {
  name: "binary-multiple",
  *mutate(node, model, raw) {
    for (const keyword of node.keywords) {
      if (keyword.kind !== "multipleOf" || Number.isInteger(keyword.limit)) continue;
      const { site, limit } = keyword;
      const validMultiples = multiplesOf(node, limit).filter((each) => holdsAt(model, node.location, each));
      const factor = factorOf(limit);
      const withRemainder = validMultiples.filter((value) => value % limit !== 0);
      const withFraction =
        factor === undefined ? [] : validMultiples.filter((value) => !Number.isInteger(value * factor));
      // Values that both habits refuse come first.
      const withBoth = withRemainder.filter((value) => withFraction.includes(value));
      const habits: [says: string, refused: number[]][] = [
        [`it is multiplied by ${factor} and must be an integer then`, [...withBoth, ...withFraction]],
        [`the remainder of ${limit} must be exactly 0`, [...withBoth.slice(0, maxima.values / 2), ...withRemainder]],
      ];
      for (const [says, refused] of habits) {
        if (refused.length === 0) continue;
        const excluded = [...new Set(refused)].slice(0, maxima.values);
        const changed = strengthen(node, raw, { not: { enum: excluded } });
        yield {
          effect: "stronger",
          isFineGrained: true,
          isTriedEarly: true,
          site,
          keyword: "multipleOf",
          says,
          ...changed,
        };
      }
      const tinyNumbers = exponents.filter(
        (value) => isMultiple(value, limit) === false && holdsAt(model, node.location, value, { without: site }),
      );
      const loosened = tinyNumbers.length === 0 ? undefined : loosenKeyword(node, raw, keyword, { enum: tinyNumbers });
      const says = "decimals are counted in the printed number, which may have an exponent";
      if (loosened !== undefined)
        yield {
          effect: "weaker",
          isFineGrained: true,
          isTriedEarly: true,
          needsOneKill: true,
          site,
          keyword: "multipleOf",
          says,
          ...loosened,
        };
      for (const [says, times, step] of [
        ["a number just above a multiple is accepted", tolerance, limit],
        ["a number just below a multiple is accepted", -tolerance, limit],
        ["a number within a tolerance of a multiple is accepted", 1, tinyStep(limit)],
      ] as const) {
        const isRefused = (value: Json): boolean => holdsAt(model, node.location, value, { without: site });
        const nearMisses = nearMultiples(validMultiples, limit, { times, step })
          .filter(isRefused)
          .slice(0, maxima.values);
        const changed = nearMisses.length === 0 ? undefined : loosenKeyword(node, raw, keyword, { enum: nearMisses });
        if (changed !== undefined)
          yield {
            effect: "weaker",
            isFineGrained: true,
            isTriedEarly: true,
            site,
            keyword: "multipleOf",
            says,
            ...changed,
          };
      }
    }
  },
};

/** The factor that converts multiples to integers: 100 for 0.01, none for 0.03. */
function factorOf(limit: number): number | undefined {
  const factor = Math.round(1 / limit);
  return addSteps(0, factor, limit) === 1 ? factor : undefined;
}

/** The multiples nearest to 0 that the schema's bounds allow. */
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

/** Values near multiples that are not multiples themselves. They have few digits, so that they are sent unchanged. */
function nearMultiples(
  multiples: readonly number[],
  limit: number,
  { times, step }: { times: number; step: number },
): number[] {
  const maxPlaces = placesOf(step) + placesOf(times);
  return multiples
    .filter((value) => value !== 0)
    .map((value) => addSteps(value, times, step))
    .filter((value) => isMultiple(value, limit) === false && placesOf(value) <= maxPlaces);
}
