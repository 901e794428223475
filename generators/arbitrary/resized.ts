import type { Json } from "../../schemas/index.ts";
import type { Formula } from "../formulas/formula.ts";
import type { Keyword, Node } from "../model/model.ts";
import { openShape } from "../solve/shape.ts";

/** What says nothing of a text but how long it is, or of a list but how long it is and what each item is like. */
const harmless: ReadonlySet<Keyword["kind"]> = new Set([
  "type",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "items",
] as const);

/**
 * A text or list of the size that is asked for, made of what is there: repeated or cut. Undefined where a schema says more of it, which
 * takes a search. Whoever takes it checks it: there may be more to keep to around the schema.
 */
export function resizeValue(
  { keywords }: Node,
  formulas: readonly Formula[],
  hint: Json | undefined,
): Json | undefined {
  if (hint === undefined || !keywords.every(({ kind }) => harmless.has(kind))) return undefined;
  const shape = openShape();
  for (const formula of formulas) {
    if (formula.op !== "facet") return undefined;
    formula.constrain(shape);
  }
  if (typeof hint === "string" && shape.string.min === shape.string.max)
    return repeatParts([...hint], shape.string.min)?.join("");
  if (Array.isArray(hint) && shape.array.min === shape.array.max) return repeatParts(hint, shape.array.min);
  return undefined;
}

function repeatParts<T>(parts: readonly T[], size: number): T[] | undefined {
  if (parts.length === 0 && size > 0) return undefined;
  return Array.from({ length: size }, (_, index) => parts[index % parts.length] as T);
}
