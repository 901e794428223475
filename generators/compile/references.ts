import { childrenOf } from "../keywords/table.ts";
import {
  type Location,
  type Model,
  nodeAt,
  resolveDynamic,
  type Scope,
  scopeInside,
  scopeKey,
} from "../model/model.ts";

/** Puts a plain reference in place of each dynamic reference that leads to the same schema on every path from the root. Tests of plain references then cover it too. */
export function settleReferences(model: Model): Model {
  const targets = dynamicTargets(model);
  const hasOneTarget = (site: Location): boolean => targets.get(site)?.size === 1;
  if (![...targets.keys()].some(hasOneTarget)) return model;
  const nodes = [...model.nodes].map(([location, node]) => {
    const keywords = node.keywords.map((keyword) => {
      const { kind, site } = keyword;
      if (kind !== "dynamicRef" || !hasOneTarget(site)) return keyword;
      const [target] = targets.get(site) as ReadonlySet<Location>;
      return { kind: "ref" as const, site, node: target as Location };
    });
    return [location, { ...node, keywords }] as const;
  });
  return { ...model, nodes: new Map(nodes) };
}

/** Lists the targets of each dynamic reference, by its location, in all its scopes. */
function dynamicTargets(model: Model): Map<Location, Set<Location>> {
  const targets = new Map<Location, Set<Location>>();
  const isDynamic = [...model.nodes.values()].some(({ keywords }) =>
    keywords.some(({ kind }) => kind === "dynamicRef"),
  );
  if (!isDynamic) return targets;
  const visited = new Set<string>();
  const queue: [node: Location, scope: Scope][] = [[model.root, {}]];
  for (const [location, outside] of queue) {
    const key = `${location} ${scopeKey(outside)}`;
    if (visited.has(key)) continue;
    visited.add(key);
    const node = nodeAt(model, location);
    const scope = scopeInside(model, node, outside);
    for (const keyword of node.keywords) {
      if (keyword.kind !== "dynamicRef") {
        for (const child of childrenOf(keyword)) queue.push([child, scope]);
        continue;
      }
      const target = resolveDynamic(model, keyword, scope);
      targets.set(keyword.site, (targets.get(keyword.site) ?? new Set()).add(target));
      queue.push([target, scope]);
    }
  }
  return targets;
}
