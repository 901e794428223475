import { ofArrays } from "../formulas/facets.ts";
import { kinds } from "../formulas/kinds.ts";
import { oneChild } from "./children.ts";
import type { KeywordHandler } from "./handler.ts";
import { plainLocation } from "./reading.ts";

export const items: KeywordHandler<"items"> = {
  ...oneChild,
  readers: {
    // Before draft 2020-12, `items` may be a list of schemas.
    items: (site, value) => {
      if (typeof value === "string") return [{ kind: "items", site, from: 0, node: plainLocation(value) }];
      const list = value as unknown[];
      return typeof list[0] === "number"
        ? [{ kind: "items", site, from: list[0], node: plainLocation(list[1] as string) }]
        : [{ kind: "prefixItems", site, nodes: (list as string[]).map(plainLocation) }];
    },
    additionalItems: (site, value) => {
      const [from, node] = value as [number, string];
      return from === Number.MAX_SAFE_INTEGER ? [] : [{ kind: "items", site, from, node: plainLocation(node) }];
    },
  },
  holds({ from, node }, value, visit) {
    if (!Array.isArray(value)) return true;
    let valid = true;
    for (let index = from; index < value.length; index += 1) {
      if (visit.itemHolds(node, value, index)) continue;
      if (!visit.isObserved) return false;
      valid = false;
    }
    return valid;
  },
  passages: ({ node }) => [{ node, segment: "*" }],
  sites: (keyword, isNever) => (isNever(keyword.node) ? [{ location: keyword.site, keyword }] : []),
  assert({ from, node }, context) {
    const { shape, path, collectors } = context;
    shape.array.each.push({ from, to: Infinity, formula: context.childOnAnyPath(node) });
    for (const collector of collectors) collector.allItems = true;
    if (path !== undefined) {
      shape.kinds &= kinds.array;
      shape.array.some.push({ from, to: Infinity, formula: context.child(node) });
    }
    return true;
  },
  deny: ({ from, node }, context) =>
    ofArrays(({ some }) => some.push({ from, to: Infinity, formula: context.mustFail(node) })),
  exercise: () => ({ op: "kinds", kinds: kinds.array }),
};
