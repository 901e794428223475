import { isObject, type Json, pointer } from "../../schemas/index.ts";
import { holdsAt, isValid } from "../model/evaluate.ts";
import { type Keyword, type Location, type Model, nodeAt, type Step } from "../model/model.ts";
import type { Place } from "../model/paths.ts";
import { always, type Formula } from "../solve/formula.ts";
import { type Solution, solve } from "../solve/solve.ts";

/** The valid instance that goes through a place and fulfils a demand there. */
export function reach(model: Model, place: Place, samples: readonly Json[], also: Formula = always): Solution {
  const [hint] = nearest(model, place, samples);
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

/** The samples, those first that go furthest on the way to the place. */
export function nearest(model: Model, place: Place, samples: readonly Json[]): Json[] {
  const far = samples.map((sample) => ({ sample, steps: passed(model, place, sample) }));
  return far.sort((one, other) => other.steps - one.steps).map(({ sample }) => sample);
}

/** How many steps of the way to the place an instance's evaluation takes, on branches that hold. */
function passed(model: Model, place: Place, sample: Json): number {
  let values: Json[] = [sample];
  let depth = 0;
  for (const [index, step] of place.steps.entries()) {
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
    if (values.length === 0) return index;
  }
  return place.steps.length;
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

/** Members that the schema and those beside it declare for the same object, on some branch, with the first schema of each. */
export function declaredMembers(
  model: Model,
  location: Location,
  seen: ReadonlySet<Location> = new Set(),
): Map<string, Location> {
  const found = new Map<string, Location>();
  if (seen.has(location)) return found;
  const next = new Set(seen).add(location);
  for (const keyword of nodeAt(model, location).keywords) {
    const more =
      keyword.kind === "properties"
        ? keyword.entries
        : besides(keyword).flatMap((node) => [...declaredMembers(model, node, next)]);
    for (const [name, node] of more) if (!found.has(name)) found.set(name, node);
  }
  return found;
}

/** Schemas that a keyword applies to the same value, on some branch. */
function besides(keyword: Keyword): Location[] {
  switch (keyword.kind) {
    case "ref":
      return [keyword.node];
    case "allOf":
    case "anyOf":
    case "oneOf":
      return keyword.nodes;
    case "if":
      return [keyword.then, keyword.else].filter((node) => node !== undefined);
    case "dependentSchemas":
      return keyword.entries.map(([, node]) => node);
    default:
      return [];
  }
}

/** Members that only other branches on the way to a place declare, with the schema of each there. */
export function foreignMembers(model: Model, place: Place): Map<string, Location> {
  const own = declaredMembers(model, place.node);
  const found = new Map<string, Location>();
  for (const { site, key } of [...place.steps].reverse()) {
    if (isChildStep(site)) break;
    const split = site.lastIndexOf("/");
    const keyword = nodeAt(model, site.slice(0, split)).keywords.find((each) => each.site === site);
    if (keyword === undefined) continue;
    for (const node of others(keyword, key))
      for (const [name, declared] of declaredMembers(model, node))
        if (!own.has(name) && !found.has(name)) found.set(name, declared);
  }
  return found;
}

/** The branches beside the one taken. Those of `allOf` are such where each has a condition of its own. */
function others(keyword: Keyword, taken: Step["key"]): Location[] {
  if (keyword.kind === "if") return besides(keyword).filter((node) => node !== keyword[taken as "then" | "else"]);
  const isChoice = keyword.kind === "oneOf" || keyword.kind === "anyOf" || keyword.kind === "allOf";
  return isChoice ? keyword.nodes.filter((_, index) => index !== taken) : [];
}
