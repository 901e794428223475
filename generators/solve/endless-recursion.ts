import { childrenOf, handlerOf } from "../keywords/table.ts";
import type { Location, Model } from "../model/model.ts";

const endlessModels = new WeakMap<Model["nodes"], boolean>();

/** Whether some schema applies itself to the same value again. No validator terminates on such a schema. */
export function isEndless(model: Model): boolean {
  let isCyclic = endlessModels.get(model.nodes);
  if (isCyclic === undefined) {
    isCyclic = hasCycle(model);
    endlessModels.set(model.nodes, isCyclic);
  }
  return isCyclic;
}

function hasCycle(model: Model): boolean {
  const finished = new Set<Location>();
  for (const start of model.nodes.keys()) {
    const onPath = new Set<Location>();
    const path: { location: Location; next: Location[] }[] = [];
    const enter = (location: Location) => {
      onPath.add(location);
      path.push({ location, next: schemasAppliedInPlace(model, location) });
    };
    if (!finished.has(start)) enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.next.pop();
      if (next === undefined) {
        path.pop();
        onPath.delete(top.location);
        finished.add(top.location);
      } else if (onPath.has(next)) return true;
      else if (!finished.has(next)) enter(next);
    }
  }
  return false;
}

/** Lists the schemas that may be applied to the same value. */
function schemasAppliedInPlace(model: Model, location: Location): Location[] {
  return (model.nodes.get(location)?.keywords ?? []).flatMap((keyword) => {
    if (keyword.kind === "dynamicRef") {
      const anchors = Object.values(model.anchors).flatMap(({ [keyword.anchor]: to }) =>
        to === undefined ? [] : [to],
      );
      return [keyword.node, ...anchors];
    }
    return handlerOf(keyword).inPlace ? childrenOf(keyword) : [];
  });
}
