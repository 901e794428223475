import type { Json } from "../../schemas/index.ts";
import { addSteps } from "../keywords/decimal.ts";
import { isMultiple, tinyStep } from "../keywords/multiple-of.ts";
import { type Family, type Proposal, replace } from "./fault.ts";

/** The distance of a number just outside a bound: a reader with a tolerance of a millionth accepts it. */
const nearDistance = 1e-7;

/** Numbers just outside and far outside a bound, and numbers that are not a multiple. */
export const range: Family = {
  name: "range",
  keywords: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  *propose({ keyword, at, value, first }) {
    if (!("limit" in keyword) || typeof value !== "number") return;
    const { kind, limit, site } = keyword;
    const proposals = numbersOutside(kind, limit, value).map(
      ([fault, detail, other, says]): Proposal => ({
        fault,
        ...(detail === undefined ? {} : { detail }),
        site,
        at,
        change: replace(at, other as Json),
        says: `is ${other}, ${says}`,
        tags: ["boundary"],
      }),
    );
    yield* first ? proposals : proposals.slice(0, 1);
  },
};

/** A number that breaks a keyword: the fault and its variant, the number, and why it is wrong. */
type WrongNumber = [fault: string, detail: string | undefined, other: number, says: string];

/** Lists numbers that break a keyword with this limit; none for a keyword that does not restrict numbers. */
function numbersOutside(kind: string, limit: number, value: number): WrongNumber[] {
  const justOutside = (direction: 1 | -1): number => addSteps(limit, direction, nearDistance);
  const low = `under the minimum of ${limit}`;
  const high = `over the maximum of ${limit}`;
  switch (kind) {
    case "minimum":
      return [
        ["below-minimum", undefined, addSteps(limit, -1, 1), low],
        ["below-minimum", "by-a-half", addSteps(limit, -1, 0.5), low],
        ["below-minimum", "far", limit - 1_000_000_000, low],
        ["below-minimum", "opposite-sign", -limit, low],
        ["below-minimum", "by-very-little", justOutside(-1), low],
      ];
    case "maximum":
      return [
        ["above-maximum", undefined, addSteps(limit, 1, 1), high],
        ["above-maximum", "by-a-half", addSteps(limit, 1, 0.5), high],
        ["above-maximum", "far", limit * 1000 + 1_000_000_000, high],
        ["above-maximum", "by-very-little", justOutside(1), high],
      ];
    case "exclusiveMinimum":
      return [
        ["at-exclusive-minimum", undefined, limit, `not over ${limit}`],
        ["below-minimum", undefined, addSteps(limit, -1, 1), `not over ${limit}`],
        ["below-minimum", "far", limit - 1_000_000_000, `not over ${limit}`],
      ];
    case "exclusiveMaximum":
      return [
        ["at-exclusive-maximum", undefined, limit, `not under ${limit}`],
        ["above-maximum", undefined, addSteps(limit, 1, 1), `not under ${limit}`],
        ["above-maximum", "far", limit * 1000 + 1_000_000_000, `not under ${limit}`],
      ];
    default:
      return kind === "multipleOf" ? nonMultiplesNear(limit, value) : [];
  }
}

/**
 * Lists numbers near a value that are not multiples of a limit. A number on which validators disagree never fails a target, so it is used only as a
 * last resort.
 */
function nonMultiplesNear(limit: number, value: number): WrongNumber[] {
  const barelyMore = addSteps(value, nearDistance, limit);
  const candidates: [detail: string | undefined, other: number][] = [
    [undefined, addSteps(value, 0.5, limit)],
    ["one-more", addSteps(value, 1, 1)],
    ["one-less", addSteps(value, -1, 1)],
    ["a-bit-more", addSteps(value, 0.1, limit)],
    ["very-little-more", isMultiple(barelyMore, limit) === false ? barelyMore : addSteps(value, 1, tinyStep(limit))],
  ];
  const undisputed = candidates.filter(([, other]) => isMultiple(other, limit) === false);
  return (undisputed.length > 0 ? undisputed : candidates).map(([detail, other]) => [
    "not-a-multiple",
    detail,
    other,
    `not a multiple of ${limit}`,
  ]);
}
