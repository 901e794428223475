import type { Resolve } from "../keywords/handler.ts";
import { subschemasOf } from "../keywords/table.ts";
import { type EvaluationStep, type Keyword, type Model, nodeAt, resolveDynamic, scopeInside } from "../model/model.ts";
import { type EvaluationPlace, places } from "./places.ts";

/** A path on which a schema leads back to itself deeper in the instance, followed a given number of times. */
export interface Recursion {
  /** The kind of the keyword that leads back. */
  kind: Keyword["kind"];
  /** The place of that keyword in the last round. */
  referencePlace: EvaluationPlace;
  /** The place that the keyword leads to in the last round. */
  targetPlace: EvaluationPlace;
}

/** Lists all recursions of a model, in the order of their schemas. */
export function recursions(model: Model, times: number): Recursion[] {
  const recursionsByEdge = new Map<string, Recursion>();
  const depths = new Map<EvaluationStep, number>();
  for (const { node, steps, at, scope: outerScope } of places(model)) {
    const last = steps.at(-1);
    if (last !== undefined) depths.set(last, at.length);
    const path = [...steps.map((step) => step.node), node];
    const scope = scopeInside(model, nodeAt(model, node), outerScope);
    const resolve: Resolve = (reference) => resolveDynamic(model, reference, scope);
    for (const keyword of nodeAt(model, node).keywords)
      for (const { node: target, key, segment } of subschemasOf(keyword, resolve)) {
        const { site, kind } = keyword;
        const startIndex = path.indexOf(target);
        const edge = `${site} ${key} ${target}`;
        if (startIndex < 0 || recursionsByEdge.has(edge)) continue;
        const depth = startIndex === 0 ? 0 : (depths.get(steps[startIndex - 1] as EvaluationStep) ?? 0);
        const [pathRound, locationRound] = [steps.slice(startIndex), at.slice(depth)];
        const cycle = [...pathRound, { node, site, kind, ...(key === undefined ? {} : { key }) }];
        const cycleLocation = segment === undefined ? locationRound : [...locationRound, segment];
        if (cycleLocation.length === 0) continue;
        const followRounds = (rounds: number) => ({
          steps: [...steps.slice(0, startIndex), ...repeatAll(cycle, rounds)],
          at: [...at.slice(0, depth), ...repeatAll(cycleLocation, rounds)],
        });
        const previousRounds = followRounds(times - 1);
        recursionsByEdge.set(edge, {
          kind,
          referencePlace: {
            node,
            scope: outerScope,
            isRepeatedStep: true,
            steps: [...previousRounds.steps, ...pathRound],
            at: [...previousRounds.at, ...locationRound],
          },
          targetPlace: { node: target, scope, isRepeatedStep: true, ...followRounds(times) },
        });
      }
  }
  return [...recursionsByEdge.values()];
}

function repeatAll<T>(items: readonly T[], times: number): T[] {
  return Array.from({ length: times }, () => items).flat();
}
