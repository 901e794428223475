import type { Resolve } from "../keywords/handler.ts";
import { passagesOf } from "../keywords/table.ts";
import { type EvaluationStep, enter, type Model, nodeAt, resolveDynamic } from "../model/model.ts";
import { type EvaluationPlace, places } from "./places.ts";

/** Of a schema in which each part refers to all others, so many references are followed. */
const most = 20;

/** For each reference by which a schema leads back to itself deeper in the instance, the place where taking it `times` times leads. */
export function recursions(model: Model, times: number): EvaluationPlace[] {
  const found = new Map<string, EvaluationPlace>();
  const depths = new Map<EvaluationStep, number>();
  for (const place of places(model)) {
    const node = nodeAt(model, place.node);
    const scope = enter(model, node, place.scope);
    const last = place.steps.at(-1);
    if (last !== undefined) depths.set(last, place.at.length);
    const resolve: Resolve = (reference) => resolveDynamic(model, reference, scope);
    for (const keyword of node.keywords)
      for (const { node: to, key, segment } of passagesOf(keyword, resolve)) {
        const { site, kind } = keyword;
        const start = place.steps.findIndex((step) => step.node === to);
        if (start < 0 || found.has(site)) continue;
        const steps = [...place.steps, { node: place.node, site, kind, ...(key === undefined ? {} : { key }) }];
        const at = segment === undefined ? place.at : [...place.at, segment];
        const outer = start === 0 ? 0 : (depths.get(place.steps[start - 1] as EvaluationStep) ?? 0);
        if (at.length === outer) continue;
        const repeated = <T>(all: readonly T[], from: number): T[] => [
          ...all.slice(0, from),
          ...Array.from({ length: times }, () => all.slice(from)).flat(),
        ];
        found.set(site, { node: to, scope, steps: repeated(steps, start), at: repeated(at, outer), again: true });
        if (found.size === most) return [...found.values()];
      }
  }
  return [...found.values()];
}
