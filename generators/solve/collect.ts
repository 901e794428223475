import { type Collector, negate, type Shape } from "../formulas/formula.ts";
import { kinds } from "../formulas/kinds.ts";

export function newCollector(): Collector {
  return { names: new Set(), patterns: [], allMembers: false, prefix: 0, allItems: false, contains: [] };
}

/** Whether anything was collected. */
export function hasCollected({
  names,
  patterns,
  allMembers,
  prefix,
  allItems,
  contains,
  members,
  items,
}: Collector): boolean {
  const count = names.size + patterns.length + prefix + contains.length;
  return count > 0 || allMembers || allItems || members !== undefined || items !== undefined;
}

/** Adds the entries of one collector to another. */
export function addCollected(whole: Collector, part: Collector): void {
  for (const name of part.names) whole.names.add(name);
  whole.patterns.push(...part.patterns);
  whole.allMembers ||= part.allMembers;
  whole.prefix = Math.max(whole.prefix, part.prefix);
  whole.allItems ||= part.allItems;
  whole.contains.push(...part.contains);
  if (part.members !== undefined) whole.members = part.members;
  if (part.items !== undefined) whole.items = part.items;
}

/** Adds the constraints of `unevaluated*` once every choice is made, so that the evaluated parts are known. */
export function constrainUnevaluated(shape: Shape): void {
  for (const { names, patterns, allMembers, prefix, allItems, contains, members, items } of shape.collectors.values()) {
    if (members !== undefined) {
      const test = { of: "rest", names, patterns } as const;
      const { formula, sign, focused } = members;
      if (sign && !allMembers)
        shape.object.each.push({
          test,
          formula: focused === undefined ? formula : { op: "or", of: [formula, focused] },
        });
      if (!sign || focused !== undefined) {
        shape.kinds &= allMembers ? 0 : kinds.object;
        shape.object.some.push({ test, formula: focused ?? negate(formula) });
      }
    }
    if (items !== undefined) {
      const { formula, sign, focused } = items;
      const allowedFormula = focused === undefined ? formula : ({ op: "or", of: [formula, focused] } as const);
      if (sign && !allItems)
        shape.array.each.push({ from: prefix, to: Infinity, formula: { op: "or", of: [allowedFormula, ...contains] } });
      if (!sign || focused !== undefined) {
        shape.kinds &= allItems ? 0 : kinds.array;
        shape.array.some.push({
          from: prefix,
          to: Infinity,
          formula: { op: "and", of: [focused ?? negate(formula), ...contains.map(negate)] },
        });
      }
    }
  }
}
