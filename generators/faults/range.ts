import type { Json } from "../../schemas/index.ts";
import { addSteps } from "../keywords/decimal.ts";
import { hairOf, isMultiple } from "../keywords/multiple-of.ts";
import { type Family, type Proposal, replace } from "./fault.ts";

/** Beyond a bound, and not for who allows a millionth. */
const nearly = 1e-7;

/** Numbers just outside and far outside a bound, and numbers that are not a multiple. */
export const range: Family = {
  name: "range",
  keywords: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  *propose({ keyword, at, value, first }) {
    if (!("limit" in keyword) || typeof value !== "number") return;
    const { kind, limit, site } = keyword;
    const proposal = (fault: string, detail: string | undefined, other: number, says: string): Proposal => ({
      fault,
      ...(detail === undefined ? {} : { detail }),
      site,
      at,
      change: replace(at, other as Json),
      says: `is ${other}, ${says}`,
      tags: ["boundary"],
    });
    // So near that a comparison with a tolerance accepts it.
    const near = (direction: 1 | -1) => addSteps(limit, direction, nearly);
    const low = `under the minimum of ${limit}`;
    const high = `over the maximum of ${limit}`;
    const all: Proposal[] = [];
    if (kind === "minimum") {
      all.push(
        proposal("below-minimum", undefined, addSteps(limit, -1, 1), low),
        proposal("below-minimum", "by-a-half", addSteps(limit, -1, 0.5), low),
      );
      all.push(
        proposal("below-minimum", "far", limit - 1_000_000_000, low),
        proposal("below-minimum", "opposite-sign", -limit, low),
        proposal("below-minimum", "by-very-little", near(-1), low),
      );
    } else if (kind === "maximum") {
      all.push(
        proposal("above-maximum", undefined, addSteps(limit, 1, 1), high),
        proposal("above-maximum", "by-a-half", addSteps(limit, 1, 0.5), high),
      );
      all.push(
        proposal("above-maximum", "far", limit * 1000 + 1_000_000_000, high),
        proposal("above-maximum", "by-very-little", near(1), high),
      );
    } else if (kind === "exclusiveMinimum") {
      all.push(
        proposal("at-exclusive-minimum", undefined, limit, `not over ${limit}`),
        proposal("below-minimum", undefined, addSteps(limit, -1, 1), `not over ${limit}`),
        proposal("below-minimum", "far", limit - 1_000_000_000, `not over ${limit}`),
      );
    } else if (kind === "exclusiveMaximum") {
      all.push(
        proposal("at-exclusive-maximum", undefined, limit, `not under ${limit}`),
        proposal("above-maximum", undefined, addSteps(limit, 1, 1), `not under ${limit}`),
        proposal("above-maximum", "far", limit * 1000 + 1_000_000_000, `not under ${limit}`),
      );
    } else if (kind === "multipleOf") {
      const little = addSteps(value, 1e-7, limit);
      const others: [detail: string | undefined, other: number][] = [
        [undefined, addSteps(value, 0.5, limit)],
        ["one-more", addSteps(value, 1, 1)],
        ["one-less", addSteps(value, -1, 1)],
        ["a-bit-more", addSteps(value, 0.1, limit)],
        ["very-little-more", isMultiple(little, limit) === false ? little : addSteps(value, 1, hairOf(limit))],
      ];
      // A number on which validators differ never fails a target, and is used only if there is no other.
      const clear = others.filter(([, other]) => isMultiple(other, limit) === false);
      for (const [detail, other] of clear.length > 0 ? clear : others)
        all.push(proposal("not-a-multiple", detail, other, `not a multiple of ${limit}`));
    }
    yield* first ? all : all.slice(0, 1);
  },
};
