import { ofArrays } from "../formulas/facets.ts";
import { kinds } from "../formulas/kinds.ts";
import { oneChild } from "./children.ts";
import type { KeywordHandler } from "./handler.ts";
import { plain } from "./reading.ts";

export const contains: KeywordHandler<"contains"> = {
  ...oneChild,
  reads: {
    contains: (site, value) => {
      if (typeof value === "string")
        return [{ kind: "contains", site, node: plain(value), min: 1, max: Infinity, marks: false }];
      const read = value as { contains: string; minContains: number; maxContains: number };
      const max = read.maxContains === Number.MAX_SAFE_INTEGER ? Infinity : read.maxContains;
      return [{ kind: "contains", site, node: plain(read.contains), min: read.minContains, max, marks: true }];
    },
  },
  holds({ node, min, max, marks }, value, visit) {
    if (!Array.isArray(value)) return true;
    let found = 0;
    for (let index = 0; index < value.length; index += 1) {
      if (!visit.itemApart(node, value, index)) continue;
      found += 1;
      if (marks) visit.marks?.items.add(index);
    }
    return found >= min && found <= max;
  },
  assert({ node, min, max, marks }, asserting) {
    const { shape, way, collectors } = asserting;
    shape.array.contains.push({ formula: asserting.child(node), min, max });
    if (marks) for (const collector of collectors) collector.contains.push(asserting.holding(node));
    if (way !== undefined) shape.kinds &= kinds.array;
    return true;
  },
  deny({ node, min, max }, denying) {
    const wanted = (least: number, most: number) =>
      ofArrays(({ contains }) => contains.push({ formula: denying.yes(node), min: least, max: most }));
    const few = min > 0 ? [wanted(0, min - 1)] : [];
    const many = Number.isFinite(max) ? [wanted(max + 1, Infinity)] : [];
    return { op: "or", of: [...few, ...many] };
  },
  exercise: () => ({ op: "kinds", kinds: kinds.array }),
};
