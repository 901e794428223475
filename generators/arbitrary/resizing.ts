import type { Json } from "../../schemas/index.ts";
import type { Formula } from "../formulas/formula.ts";
import type { Keyword, Node } from "../model/model.ts";
import { lengthOf } from "../regex/code-points.ts";
import { openShape } from "../solve/shape.ts";

/** Keywords that restrict only the type and length of a string, or only the length and the items of a list. */
const harmlessKeywords: ReadonlySet<Keyword["kind"]> = new Set([
  "type",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "items",
] as const);

/** Repeats or cuts a hint to make a string or list of the requested size. Undefined if a schema restricts the value further: then a search is needed. The caller checks the result, because surrounding schemas may restrict it too. */
export function resizeValue(
  { keywords }: Node,
  formulas: readonly Formula[],
  hint: Json | undefined,
): Json | undefined {
  if (hint === undefined || !keywords.every(({ kind }) => harmlessKeywords.has(kind))) return undefined;
  const shape = openShape();
  for (const formula of formulas) {
    if (formula.op !== "facet") return undefined;
    formula.constrain(shape);
  }
  if (typeof hint === "string" && shape.string.min === shape.string.max) return repeatText(hint, shape.string.min);
  if (Array.isArray(hint) && shape.array.min === shape.array.max) return repeatParts(hint, shape.array.min);
  return undefined;
}

function repeatParts<T>(parts: readonly T[], size: number): T[] | undefined {
  if (parts.length === 0 && size > 0) return undefined;
  return Array.from({ length: size }, (_, index) => parts[index % parts.length] as T);
}

/** Repeats or cuts a string to this many code points. */
function repeatText(text: string, size: number): string | undefined {
  if (text === "") return size === 0 ? "" : undefined;
  const length = lengthOf(text);
  const rest = size % length;
  const start = length === text.length ? text.slice(0, rest) : [...text].slice(0, rest).join("");
  return text.repeat(Math.floor(size / length)) + start;
}
