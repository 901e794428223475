import type { Rule } from "../rule.ts";

/** The list has the numbers of a family in order; its file may have them as their vectors come. */
export function byFamily(rules: readonly Rule[]): (one: Rule, other: Rule) => number {
  const prefixes = [...new Set(rules.map(({ id }) => prefixOf(id)))];
  const places = new Map(rules.map(({ id }) => [id, prefixes.indexOf(prefixOf(id))]));
  return ({ id: one }, { id: other }) =>
    (places.get(one) ?? 0) - (places.get(other) ?? 0) || (one < other ? -1 : one > other ? 1 : 0);
}

function prefixOf(id: string): string {
  return id.replace(/-[0-9]+$/, "");
}
