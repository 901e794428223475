import { ofArrays } from "../formulas/facets.ts";
import { kinds } from "../formulas/kinds.ts";
import type { Location } from "../model/model.ts";
import { listedChildren } from "./children.ts";
import type { KeywordHandler } from "./handler.ts";
import { plainLocation } from "./reading.ts";

export const prefixItems: KeywordHandler<"prefixItems"> = {
  ...listedChildren,
  readers: {
    prefixItems: (site, value) => [{ kind: "prefixItems", site, nodes: (value as string[]).map(plainLocation) }],
  },
  holds({ nodes }, value, visit) {
    if (!Array.isArray(value)) return true;
    let valid = true;
    for (let index = 0; index < Math.min(nodes.length, value.length); index += 1)
      if (!visit.itemHolds(nodes[index] as Location, value, index)) valid = false;
    return valid;
  },
  passages: ({ nodes }) => nodes.map((node, key) => ({ node, key, segment: String(key) })),
  sites: () => [],
  assert({ nodes }, context) {
    const { shape, path, collectors } = context;
    nodes.forEach((node, index) => {
      shape.array.each.push({ from: index, to: index + 1, formula: context.child(node, index) });
    });
    for (const collector of collectors) collector.prefix = Math.max(collector.prefix, nodes.length);
    if (typeof path?.key === "number") {
      shape.kinds &= kinds.array;
      shape.array.min = Math.max(shape.array.min, path.key + 1);
    }
    return true;
  },
  deny: ({ nodes }, context) => ({
    op: "or",
    of: nodes.map((node, index) =>
      ofArrays(({ some }) => some.push({ from: index, to: index + 1, formula: context.mustFail(node) })),
    ),
  }),
  exercise: () => ({ op: "kinds", kinds: kinds.array }),
};
