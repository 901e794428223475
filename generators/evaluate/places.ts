import type { Resolve } from "../keywords/handler.ts";
import { subschemasOf } from "../keywords/table.ts";
import {
  type EvaluationStep,
  type Location,
  type Model,
  nodeAt,
  resolveDynamic,
  type Scope,
  scopeInside,
} from "../model/model.ts";

/** A place where a schema applies to the instance and must hold: the path to it and the shape of the instance location. */
export interface EvaluationPlace {
  node: Location;
  scope: Scope;
  steps: readonly EvaluationStep[];
  /** The instance location; `*` means any item or member name. */
  at: readonly string[];
  /** Whether the last step was already followed on another path, so its schema has been visited already. */
  isRepeatedStep: boolean;
}

const maxPlaces = 20_000;

/** Lists every distinct evaluation path to a schema that must hold, outermost first. A path enters a schema at most `times` times, so recursion ends. */
export function places(model: Model, times = 1): readonly EvaluationPlace[] {
  if (times !== 1) return placesOf(model, times);
  if (cached?.nodes !== model.nodes || cached.root !== model.root)
    cached = { nodes: model.nodes, root: model.root, found: placesOf(model, times) };
  return cached.found;
}

/** Cached, because most calls concern the same model as the previous one, and finding the places of a large model is expensive. */
let cached: { nodes: Model["nodes"]; root: Location; found: readonly EvaluationPlace[] } | undefined;

function placesOf(model: Model, times: number): EvaluationPlace[] {
  const found: EvaluationPlace[] = [];
  const queue: { place: EvaluationPlace; ancestors: readonly Location[] }[] = [
    { place: { node: model.root, scope: {}, steps: [], at: [], isRepeatedStep: false }, ancestors: [] },
  ];
  const seenEdges = new Set<string>();
  for (let index = 0; index < queue.length && found.length < maxPlaces; index += 1) {
    const { place, ancestors } = queue[index] as (typeof queue)[number];
    found.push(place);
    const node = nodeAt(model, place.node);
    const scope = scopeInside(model, node, place.scope);
    const resolve: Resolve = (reference) => resolveDynamic(model, reference, scope);
    for (const keyword of node.keywords) {
      const { site, kind } = keyword;
      for (const { node: target, key, segment } of subschemasOf(keyword, resolve)) {
        // Further places would exceed the limit.
        if (queue.length >= maxPlaces) break;
        if (ancestors.filter((ancestor) => ancestor === target).length >= times) continue;
        const edge = `${site} ${key} ${target}`;
        queue.push({
          place: {
            node: target,
            scope,
            steps: [...place.steps, { node: place.node, site, kind, ...(key === undefined ? {} : { key }) }],
            at: segment === undefined ? place.at : [...place.at, segment],
            isRepeatedStep: seenEdges.has(edge),
          },
          ancestors: [...ancestors, place.node],
        });
        seenEdges.add(edge);
      }
    }
  }
  return found;
}
