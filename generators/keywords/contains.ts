import { ofArrays } from "../formulas/facets.ts";
import { kinds } from "../formulas/kinds.ts";
import type { KeywordOf, Location, Site } from "../model/model.ts";
import { oneChild } from "./children.ts";
import type { KeywordHandler } from "./handler.ts";
import { plainLocation } from "./reading.ts";

type Contains = KeywordOf<"contains">;

/** Returns the sites for too few and for too many matching items. */
export function countSites({ site, min }: Contains): Record<"few" | "many", Location> {
  const siteBeside = (name: string): Location => `${site.slice(0, -"contains".length)}${name}`;
  return { few: min > 1 ? siteBeside("minContains") : site, many: siteBeside("maxContains") };
}

/** The site for too many comes first, because it has no effect once `contains` is removed. */
function sites(keyword: Contains): Site[] {
  const { min, max } = keyword;
  const { few, many } = countSites(keyword);
  if (max === Infinity) return [{ location: few, keyword }];
  return [{ location: many, keyword, entry: 1 }, ...(min > 0 ? [{ location: few, keyword, entry: 0 }] : [])];
}

export const contains: KeywordHandler<"contains"> = {
  ...oneChild,
  readers: {
    contains: (site, value) => {
      if (typeof value === "string")
        return [{ kind: "contains", site, node: plainLocation(value), min: 1, max: Infinity, marks: false }];
      const compiled = value as { contains: string; minContains: number; maxContains: number; marks?: false };
      const max = compiled.maxContains === Number.MAX_SAFE_INTEGER ? Infinity : compiled.maxContains;
      const marks = compiled.marks ?? true;
      return [
        { kind: "contains", site, node: plainLocation(compiled.contains), min: compiled.minContains, max, marks },
      ];
    },
  },
  sites,
  holds(keyword, value, visit) {
    const { node, site, min, max, marks } = keyword;
    const { without } = visit.evaluation;
    if (!Array.isArray(value) || (without === site && max === Infinity)) return true;
    let matching = 0;
    for (let index = 0; index < value.length; index += 1) {
      if (!visit.itemHoldsUnmarked(node, value, index)) continue;
      matching += 1;
      if (marks) visit.marks?.items.add(index);
    }
    if (without === undefined) return matching >= min && matching <= max;
    const { few, many } = countSites(keyword);
    return (matching >= min || without === few) && (matching <= max || without === many);
  },
  assert({ node, min, max, marks }, context) {
    const { shape, path, collectors } = context;
    shape.array.contains.push({ formula: context.child(node), min, max });
    if (marks) for (const collector of collectors) collector.contains.push(context.mustHold(node));
    if (path !== undefined) shape.kinds &= kinds.array;
    return true;
  },
  deny({ node, min, max }, context) {
    const mustBreak = (entry: number): boolean => context.entry === undefined || context.entry === entry;
    const containsBetween = (least: number, most: number) =>
      ofArrays(({ contains }) => contains.push({ formula: context.mustHold(node), min: least, max: most }));
    const few = min > 0 && mustBreak(0) ? [containsBetween(0, min - 1)] : [];
    const many = Number.isFinite(max) && mustBreak(1) ? [containsBetween(max + 1, Infinity)] : [];
    return { op: "or", of: [...few, ...many] };
  },
  exercise: () => ({ op: "kinds", kinds: kinds.array }),
};
