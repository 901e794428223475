import type { Rule } from "../rule.ts";

/** Compares rules by family, in the order of first appearance, and then by id. Files may have another order within a family. */
export function byFamily(rules: readonly Rule[]): (a: Rule, b: Rule) => number {
  const prefixes = [...new Set(rules.map(({ id }) => prefixOf(id)))];
  const places = new Map(rules.map(({ id }) => [id, prefixes.indexOf(prefixOf(id))]));
  return ({ id: a }, { id: b }) => {
    const difference = (places.get(a) ?? 0) - (places.get(b) ?? 0);
    if (difference !== 0 || a === b) return difference;
    return a < b ? -1 : 1;
  };
}

function prefixOf(id: string): string {
  return id.replace(/-[0-9]+$/, "");
}
