import { childrenOf, handlerOf } from "../keywords/table.ts";
import type { Location, Model } from "../model/model.ts";

const endlessModels = new WeakMap<Model["nodes"], boolean>();

/** Whether some schema applies itself to the same value again. No validator finishes on it. */
export function isEndless(model: Model): boolean {
  let answer = endlessModels.get(model.nodes);
  if (answer === undefined) {
    answer = hasCycle(model);
    endlessModels.set(model.nodes, answer);
  }
  return answer;
}

function hasCycle(model: Model): boolean {
  const done = new Set<Location>();
  for (const start of model.nodes.keys()) {
    const above = new Set<Location>();
    const path: { location: Location; next: Location[] }[] = [];
    const enter = (location: Location) => {
      above.add(location);
      path.push({ location, next: appliedInPlace(model, location) });
    };
    if (!done.has(start)) enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.next.pop();
      if (next === undefined) {
        path.pop();
        above.delete(top.location);
        done.add(top.location);
      } else if (above.has(next)) return true;
      else if (!done.has(next)) enter(next);
    }
  }
  return false;
}

/** The schemas that may be applied to the same value. */
function appliedInPlace(model: Model, location: Location): Location[] {
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
