import { isObject, type Json, pointer } from "../../schemas/index.ts";
import { holdsAt, isValid } from "../model/evaluate.ts";
import { type Keyword, type Location, type Model, nodeAt } from "../model/model.ts";
import type { Place } from "../model/paths.ts";
import { always, type Formula } from "../solve/formula.ts";
import { type Solution, solve } from "../solve/solve.ts";

/** The valid instance that goes through a place and fulfils a demand there. */
export function reach(model: Model, place: Place, samples: readonly Json[], also: Formula = always): Solution {
  const hint = samples.find((sample) => passes(model, place, sample)) ?? samples[0];
  const formula: Formula = {
    op: "schema",
    node: model.root,
    sign: true,
    scope: {},
    focus: { steps: place.steps, end: { also } },
  };
  return solve(model, [formula], { depth: place.at.length, ...(hint === undefined ? {} : { hint }) });
}

/** An instance that breaks one site at a place while everything else holds, near to the hint. */
export function breaking(model: Model, place: Place, site: Location, hint: Json): Solution {
  const formula: Formula = {
    op: "schema",
    node: model.root,
    sign: true,
    scope: {},
    focus: { steps: place.steps, end: { break: site } },
  };
  return solve(model, [formula], { depth: place.at.length, hint });
}

/** Whether an instance's evaluation goes through the place, on branches that hold. */
function passes(model: Model, place: Place, sample: Json): boolean {
  let values: Json[] = [sample];
  let depth = 0;
  for (const step of place.steps) {
    const chosen =
      step.key !== undefined && /\/(oneOf|anyOf)$/.test(step.site) ? `${step.site}/${step.key}` : undefined;
    if (chosen !== undefined) values = values.filter((value) => holdsAt(model, chosen, value));
    else if (step.key === "then" || step.key === "else") {
      const holds = step.key === "then";
      values = values.filter((value) => holdsAt(model, step.site, value) === holds);
    } else if (isChildStep(step.site)) {
      const segment = place.at[depth] as string;
      depth += 1;
      values = values.flatMap((value) => inside(value, segment));
    }
    if (values.length === 0) return false;
  }
  return true;
}

function isChildStep(site: Location): boolean {
  return /\/(properties|patternProperties|additionalProperties|unevaluatedProperties|propertyNames|prefixItems|items|additionalItems|unevaluatedItems)$/.test(
    site,
  );
}

function inside(value: Json, segment: string): Json[] {
  if (Array.isArray(value)) return segment === "*" ? value : value.slice(Number(segment), Number(segment) + 1);
  if (!isObject(value)) return [];
  return segment === "*" ? Object.values(value) : Object.hasOwn(value, segment) ? [value[segment] as Json] : [];
}

/** Where in a valid instance a keyword applies at a place: the first location that fits. */
export function locate(model: Model, place: Place, keyword: Keyword, instance: Json): string | undefined {
  let found: string | undefined;
  isValid(model, instance, {
    observe: ({ site }, at) => {
      if (found === undefined && site === keyword.site && fitsPath(place.at, at)) found = at;
    },
  });
  return found;
}

function fitsPath(wanted: readonly string[], at: string): boolean {
  const segments = pointer.segments(at);
  return (
    segments.length === wanted.length &&
    segments.every((segment, index) => wanted[index] === "*" || wanted[index] === segment)
  );
}

/** Names that the schema and those it refers to declare for the same object. */
export function declaredNames(model: Model, location: Location, seen: ReadonlySet<Location> = new Set()): string[] {
  if (seen.has(location)) return [];
  const next = new Set(seen).add(location);
  const names = nodeAt(model, location).keywords.flatMap((keyword): string[] => {
    switch (keyword.kind) {
      case "properties":
        return keyword.entries.map(([name]) => name);
      case "ref":
        return declaredNames(model, keyword.node, next);
      case "allOf":
      case "anyOf":
      case "oneOf":
        return keyword.nodes.flatMap((node) => declaredNames(model, node, next));
      default:
        return [];
    }
  });
  return [...new Set(names)];
}

/** Names that sibling branches on the way to a place declare and the place itself does not. */
export function foreignNames(model: Model, place: Place): string[] {
  const own = new Set(declaredNames(model, place.node));
  const found = new Set<string>();
  for (const step of [...place.steps].reverse()) {
    if (isChildStep(step.site)) break;
    const match = /^(.*)\/(oneOf|anyOf)$/.exec(step.site);
    if (match === null) continue;
    const union = nodeAt(model, match[1] as string).keywords.find((keyword) => keyword.site === step.site);
    if (union?.kind !== "oneOf" && union?.kind !== "anyOf") continue;
    for (const [index, node] of union.nodes.entries()) {
      if (index !== step.key) for (const name of declaredNames(model, node)) if (!own.has(name)) found.add(name);
    }
  }
  return [...found];
}
