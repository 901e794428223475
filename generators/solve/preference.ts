import type { Json } from "../../schemas/index.ts";
import type { Shape } from "../formulas/formula.ts";
import { kindOf, kinds } from "../formulas/kinds.ts";

const usualKinds = [kinds.string, kinds.integer, kinds.object, kinds.array, kinds.boolean, kinds.null, kinds.fraction];

/** Lists the kinds of a shape in trial order: the hint's kind, then kinds that the shape constrains, then the usual order. */
export function preferredKinds(shape: Shape, hint: Json | undefined): number[] {
  const { kinds: possibleKinds, number, string, array, object } = shape;
  if ((possibleKinds & (possibleKinds - 1)) === 0) return possibleKinds === 0 ? [] : [possibleKinds];
  const preferred: number[] = [];
  if (hint !== undefined) preferred.push(kindOf(hint));
  if (object.required.size + object.each.length + object.some.length + object.names.length + object.min > 0)
    preferred.push(kinds.object);
  if (array.each.length + array.some.length + array.contains.length + array.min > 0) preferred.push(kinds.array);
  if (string.patterns.length + string.formats.length + string.min > 0) preferred.push(kinds.string);
  if (number.low > -Infinity || number.high < Infinity || number.multiples.length > 0) preferred.push(kinds.integer);
  return [...new Set([...preferred, ...usualKinds])].filter((kind) => (possibleKinds & kind) !== 0);
}
