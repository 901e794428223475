import { ofArrays } from "../formulas/facets.ts";
import { kinds } from "../formulas/kinds.ts";
import type { KeywordOf, Location, Site } from "../model/model.ts";
import { oneChild } from "./children.ts";
import type { KeywordHandler } from "./handler.ts";
import { plainLocation } from "./reading.ts";

type Contains = KeywordOf<"contains">;

/** The sites for too few and for too many matching items. */
export function countSites({ site, min }: Contains): Record<"few" | "many", Location> {
  const siteBeside = (name: string): Location => `${site.slice(0, -"contains".length)}${name}`;
  return { few: min > 1 ? siteBeside("minContains") : site, many: siteBeside("maxContains") };
}

/** The site for too many comes first: without `contains` it has no effect. */
function sites(keyword: Contains): Site[] {
  const { min, max } = keyword;
  const { few, many } = countSites(keyword);
  if (max === Infinity) return [{ location: few, keyword }];
  return [{ location: many, keyword, entry: 1 }, ...(min > 0 ? [{ location: few, keyword, entry: 0 }] : [])];
}

export const contains: KeywordHandler<"contains"> = {
  ...oneChild,
  reads: {
    contains: (site, value) => {
      if (typeof value === "string")
        return [{ kind: "contains", site, node: plainLocation(value), min: 1, max: Infinity, marks: false }];
      const read = value as { contains: string; minContains: number; maxContains: number; marks?: false };
      const max = read.maxContains === Number.MAX_SAFE_INTEGER ? Infinity : read.maxContains;
      const marks = read.marks ?? true;
      return [{ kind: "contains", site, node: plainLocation(read.contains), min: read.minContains, max, marks }];
    },
  },
  sites,
  holds(keyword, value, visit) {
    const { node, site, min, max, marks } = keyword;
    const { without } = visit.evaluation;
    if (!Array.isArray(value) || (without === site && max === Infinity)) return true;
    let found = 0;
    for (let index = 0; index < value.length; index += 1) {
      if (!visit.itemUnmarked(node, value, index)) continue;
      found += 1;
      if (marks) visit.marks?.items.add(index);
    }
    if (without === undefined) return found >= min && found <= max;
    const { few, many } = countSites(keyword);
    return (found >= min || without === few) && (found <= max || without === many);
  },
  assert({ node, min, max, marks }, context) {
    const { shape, path: way, collectors } = context;
    shape.array.contains.push({ formula: context.child(node), min, max });
    if (marks) for (const collector of collectors) collector.contains.push(context.mustHold(node));
    if (way !== undefined) shape.kinds &= kinds.array;
    return true;
  },
  deny({ node, min, max }, context) {
    const isWanted = (entry: number): boolean => context.entry === undefined || context.entry === entry;
    const counting = (least: number, most: number) =>
      ofArrays(({ contains }) => contains.push({ formula: context.mustHold(node), min: least, max: most }));
    const few = min > 0 && isWanted(0) ? [counting(0, min - 1)] : [];
    const many = Number.isFinite(max) && isWanted(1) ? [counting(max + 1, Infinity)] : [];
    return { op: "or", of: [...few, ...many] };
  },
  exercise: () => ({ op: "kinds", kinds: kinds.array }),
};
