import { equal, type Json } from "../../schemas/index.ts";
import type { Shape } from "../formulas/formula.ts";
import { kindOf, kinds } from "../formulas/kinds.ts";
import type { ImpossibleMember } from "../solve/search.ts";
import { fitsShape } from "../solve/shape.ts";
import { arraysFor } from "./array.ts";
import type { Makers, Part } from "./maker.ts";
import { numbersFor } from "./number.ts";
import { objectsFor } from "./object.ts";
import { chanceOf, pick, type Random } from "./random.ts";
import { stringsFor } from "./string.ts";

/** If realistic values are known, one of them is drawn once in this many draws. */
const realisticOneIn = 5;

/** Lists the parts of a shape, one for each of its kinds of value. Empty if it has none. */
export function partsFor(
  shape: Shape,
  makers: Makers,
  impossibleMembers: ImpossibleMember[],
  realistic: readonly Json[],
): Part[] {
  if (shape.in !== undefined) {
    const values = shape.in.filter((value) =>
      fitsShape(shape, value, (formula, part) => makers.holds([formula], part)),
    );
    return values.length === 0 ? [] : [scalarPart((random) => pick(random, values))];
  }
  // Which parts `unevaluated*` sees depends on the choices made, so a drawn value is checked again.
  const isCertain = shape.collectors.size === 0;
  return Object.values(kinds)
    .filter((kind) => (shape.kinds & kind) !== 0)
    .flatMap((kind) => partOf(shape, kind, { makers, impossibleMembers, realistic }) ?? [])
    .map((part) => excludeValues(shape.out, isCertain ? part : { ...part, isCertain }));
}

function partOf(
  shape: Shape,
  kind: number,
  {
    makers,
    impossibleMembers,
    realistic,
  }: { makers: Makers; impossibleMembers: ImpossibleMember[]; realistic: readonly Json[] },
): Part | undefined {
  switch (kind) {
    case kinds.null:
      return scalarPart(() => null);
    case kinds.boolean:
      return scalarPart((random) => chanceOf(random, 2));
    case kinds.integer:
    case kinds.fraction:
      return mixDraws(shape, kind, numbersFor(shape, kind), realistic);
    case kinds.string:
      return mixDraws(shape, kind, stringsFor(shape), realistic);
    case kinds.array:
      return arraysFor(shape, makers);
    default:
      return objectsFor(shape, makers, impossibleMembers);
  }
}

function scalarPart(draw: Part["draw"]): Part {
  return { draw, needs: [], isCertain: true };
}

/** Numbers or strings, with realistic ones mixed in. */
function mixDraws(
  shape: Shape,
  kind: number,
  draw: ((random: Random) => Json | undefined) | undefined,
  realistic: readonly Json[],
): Part | undefined {
  const fittingValues = realistic.filter((value) => kindOf(value) === kind && fitsShape(shape, value, () => true));
  if (fittingValues.length === 0) return draw === undefined ? undefined : scalarPart(draw);
  return scalarPart((random) =>
    draw === undefined || chanceOf(random, realisticOneIn) ? pick(random, fittingValues) : draw(random),
  );
}

/** Excludes these values from a part. */
function excludeValues(out: readonly Json[], part: Part): Part {
  if (out.length === 0) return part;
  return {
    ...part,
    draw(random, room) {
      const value = part.draw(random, room);
      return value === undefined || out.some((each) => equal(each, value)) ? undefined : value;
    },
  };
}
