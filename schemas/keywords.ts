import { distance, closest as nearest } from "fastest-levenshtein";
import { type Dialect, dialects } from "./dialect.ts";

/** Keywords that hold no schemas, by the draft that brought them. */
const brought: Readonly<Record<string, string>> = {
  "draft-04":
    "$schema title description default type enum multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems maxProperties minProperties required format",
  "draft-06": "const examples",
  "draft-07": "$comment readOnly writeOnly contentMediaType contentEncoding",
  "2019-09": "$vocabulary deprecated minContains maxContains dependentRequired",
};

/** Every keyword of a dialect. */
export function keywordsOf(dialect: Dialect): Set<string> {
  const { id, anchors, references, single, list, map } = dialect;
  const until = dialects.slice(0, dialects.indexOf(dialect) + 1);
  const others = until.flatMap(({ name }) => brought[name]?.split(" ") ?? []);
  return new Set([id, ...anchors, ...references, ...others, ...single, ...list, ...map]);
}

/** OpenAPI's `example` is no slip of `examples`. */
const meant = new Set([...dialects.flatMap((dialect) => [...keywordsOf(dialect)]), "example"]);

/**
 * The keyword that a name in a schema is a slip of. Undefined for keywords of any dialect, for names that are marked as somebody's own,
 * and for whatever is far from all of them, as an annotation is.
 */
export function keywordMeant(name: string, dialect: Dialect): string | undefined {
  if (/^(x-|\$)/.test(name) || meant.has(name)) return undefined;
  const best = nearest(name, [...keywordsOf(dialect)]);
  // Of a short name little would be left.
  return distance(name, best) <= Math.min(2, name.length / 2) ? best : undefined;
}
