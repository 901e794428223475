import { subschemas } from "./dialect.ts";
import { faultIn } from "./document.ts";
import { type Graph, type Reference, type Resource, type SchemaSpot, spotKey } from "./graph.ts";
import { append } from "./pointer.ts";
import type { Followed } from "./publish.ts";

/** Keywords with subschemas that apply to the same instance as the schema itself. */
const inPlace = new Set("allOf anyOf oneOf not if then else dependentSchemas dependencies".split(" "));

/**
 * Throws a usage error if references lead back to their start without going into the instance: evaluation would never end. If `aside` is
 * given, cycles that the roots do not reach are reported to it instead, each with its first reference.
 */
export function refuseLoops(
  graph: Graph,
  followed: readonly Followed[],
  roots?: readonly Resource[],
  aside?: (spot: SchemaSpot, keyword: string, what: string) => void,
): void {
  const usedSpots = roots === undefined || aside === undefined ? undefined : usedFrom(graph, followed, roots);
  const edges = new Map<SchemaSpot, SchemaSpot[]>();
  for (const { reference, target } of followed) {
    const to = graph.spots.get(spotKey(target.resource.document, target.at));
    if (to === undefined || !isFixed(reference, to, graph)) continue;
    edges.set(reference.from, [...(edges.get(reference.from) ?? []), to]);
  }
  const finished = new Set<SchemaSpot>();
  for (const start of edges.keys()) {
    const path = new Set<SchemaSpot>();
    const steps: { spot: SchemaSpot; next: Iterator<SchemaSpot> }[] = [];
    enter(start);
    for (let step = steps.at(-1); step !== undefined; step = steps.at(-1)) {
      const { value: to } = step.next.next();
      if (to === undefined) {
        path.delete(step.spot);
        finished.add(step.spot);
        steps.pop();
      } else if (path.has(to)) reportCycle(to);
      else enter(to);
    }

    function reportCycle(to: SchemaSpot): void {
      const cycle = cycleFrom([...path], to, edges);
      // The cycle is already broken if it shares a reference that was set aside.
      if (cycle === undefined) return;
      const { spot, keyword, what } = cycle;
      if (aside === undefined || usedSpots === undefined || [...path].some((schemaSpot) => usedSpots.has(schemaSpot)))
        throw faultIn(
          spot.document,
          append(spot.at, keyword),
          what,
          "break the circle, or go through properties or items",
        );
      aside(spot, keyword, what);
      // Safe during the iteration: a started iterator keeps its own list, and a deleted start is not visited again.
      edges.delete(spot);
    }

    function enter(spot: SchemaSpot): void {
      if (finished.has(spot)) return;
      path.add(spot);
      steps.push({ spot, next: [...(edges.get(spot) ?? []), ...subschemasOf(graph, spot)].values() });
    }
  }
}

/** Whether the reference always leads to this target. A dynamic reference does so only if no other target is possible. */
function isFixed({ keyword, to: text }: Reference, to: SchemaSpot, { spots }: Graph): boolean {
  const [name, value] = keyword === "$dynamicRef" ? ["$dynamicAnchor", text.split("#")[1]] : ["$recursiveAnchor", true];
  if (keyword === "$ref" || to.schema[name as string] !== value) return true;
  for (const candidate of spots.values())
    if (candidate !== to && candidate.schema[name as string] === value) return false;
  return true;
}

function subschemasOf(graph: Graph, { document, at, schema }: SchemaSpot): SchemaSpot[] {
  if (!document.dialect.besideRef && typeof schema.$ref === "string") return [];
  const applied: SchemaSpot[] = [];
  for (const { keyword, path } of subschemas(schema, document.dialect)) {
    const spot = inPlace.has(keyword) ? graph.spots.get(spotKey(document, `${at}${path}`)) : undefined;
    if (spot !== undefined) applied.push(spot);
  }
  return applied;
}

interface Cycle {
  spot: SchemaSpot;
  keyword: string;
  what: string;
}

/** The schemas that apply to instances of the roots; undefined if a dynamic reference may lead anywhere. */
function usedFrom(
  { spots }: Graph,
  followed: readonly Followed[],
  roots: readonly Resource[],
): Set<SchemaSpot> | undefined {
  if (followed.some(({ reference }) => reference.keyword !== "$ref")) return undefined;
  const targets = new Map<SchemaSpot, SchemaSpot[]>();
  for (const { reference, target } of followed) {
    const to = spots.get(spotKey(target.resource.document, target.at));
    if (to !== undefined) targets.set(reference.from, [...(targets.get(reference.from) ?? []), to]);
  }
  const usedSpots = new Set(roots.flatMap(({ document, at }) => spots.get(spotKey(document, at)) ?? []));
  for (const spot of usedSpots) {
    for (const to of targets.get(spot) ?? []) usedSpots.add(to);
    const { document, at, schema } = spot;
    for (const { keyword, path } of subschemas(schema, document.dialect)) {
      const childSpot = /^(?:\$defs|definitions)$/.test(keyword)
        ? undefined
        : spots.get(spotKey(document, `${at}${path}`));
      if (childSpot !== undefined) usedSpots.add(childSpot);
    }
  }
  return usedSpots;
}

function cycleFrom(
  path: readonly SchemaSpot[],
  start: SchemaSpot,
  edges: ReadonlyMap<SchemaSpot, SchemaSpot[]>,
): Cycle | undefined {
  const spotsOfCycle = path.slice(path.indexOf(start));
  const firstSpot = spotsOfCycle.find((spot) => edges.has(spot));
  if (firstSpot === undefined) return undefined;
  const rotated = [
    ...spotsOfCycle.slice(spotsOfCycle.indexOf(firstSpot)),
    ...spotsOfCycle.slice(0, spotsOfCycle.indexOf(firstSpot)),
    firstSpot,
  ];
  const keyword = firstSpot.document.dialect.references.find(
    (name) => typeof firstSpot.schema[name] === "string",
  ) as string;
  const names = rotated.map(nameSpot).join(" → ");
  return {
    spot: firstSpot,
    keyword,
    what: `the ${keyword} leads back to itself and never into the instance: ${names}`,
  };
}

function nameSpot({ document, at, resource }: SchemaSpot): string {
  return `${resource.id}#${at.slice(document === resource.document ? resource.at.length : 0)}`;
}
