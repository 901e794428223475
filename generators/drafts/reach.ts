import { isObject, type Json, pointer } from "../../schemas/index.ts";
import { holdsAt, isValid } from "../evaluate/evaluate.ts";
import type { EvaluationPlace } from "../evaluate/places.ts";
import { type Focus, type Formula, trueFormula } from "../formulas/formula.ts";
import { handlerOf } from "../keywords/table.ts";
import { type EvaluationStep, type Keyword, type Location, type Model, nodeAt } from "../model/model.ts";
import { type Solution, solve } from "../solve/solve.ts";

/** A valid instance that reaches a place and fulfils a demand there. */
export function reach(
  model: Model,
  place: EvaluationPlace,
  samples: readonly Json[],
  also: Formula = trueFormula,
): Solution {
  const [hint] = nearestSamples(model, place, samples);
  const options = { depth: place.at.length, ...(hint === undefined ? {} : { hint }) };
  return solve(model, [formulaAlong(model, place, { also })], options);
}

/** An instance, near to the hint, that breaks one site at a place and nothing else. */
export function reachBroken(model: Model, place: EvaluationPlace, site: Location, hint: Json): Solution {
  return solve(model, [formulaAlong(model, place, { break: site })], { depth: place.at.length, hint });
}

/** A valid instance that reaches the place, except that the formula at the end applies there. */
function formulaAlong(model: Model, { steps }: EvaluationPlace, end: Focus["end"]): Formula {
  return { op: "schema", node: model.root, sign: true, scope: {}, focus: { steps, end } };
}

/** The samples, sorted by the number of steps that they follow on the path to the place. */
export function nearestSamples(model: Model, place: EvaluationPlace, samples: readonly Json[]): Json[] {
  const far = samples.map((sample) => ({ sample, steps: countPasses(model, place, sample) }));
  return far.sort((one, other) => other.steps - one.steps).map(({ sample }) => sample);
}

/** Whether the evaluation of an instance follows the whole path to a place, on valid branches. */
export function passesThrough(model: Model, place: EvaluationPlace, instance: Json): boolean {
  return countPasses(model, place, instance) === place.steps.length;
}

/** How many steps of the path to the place the evaluation of an instance follows, on valid branches. */
function countPasses(model: Model, place: EvaluationPlace, sample: Json): number {
  return followPath(model, place, sample).steps;
}

/** The locations of the parts of an instance that a place leads to, on valid branches. */
export function partsAt(model: Model, place: EvaluationPlace, instance: Json): string[] {
  const { steps, parts } = followPath(model, place, instance);
  return steps === place.steps.length ? parts.map(({ at }) => at) : [];
}

/** The locations of the parts of an instance that match the location of a place, on any branch. */
export function partsAtLocation({ at }: EvaluationPlace, instance: Json): string[] {
  const whole: ReachedPart[] = [{ at: "", value: instance }];
  return at.reduce((parts, segment) => parts.flatMap((part) => partsOf(part, segment)), whole).map((part) => part.at);
}

interface ReachedPart {
  at: string;
  value: Json;
}

/** How many steps of a path an instance follows, and the parts at which it arrives. */
function followPath(model: Model, place: EvaluationPlace, instance: Json): { steps: number; parts: ReachedPart[] } {
  let parts: ReachedPart[] = [{ at: "", value: instance }];
  let depth = 0;
  for (const [index, step] of place.steps.entries()) {
    if (step.kind === "oneOf" || step.kind === "anyOf") {
      const branch = place.steps[index + 1]?.node ?? place.node;
      parts = parts.filter(({ value }) => holdsAt(model, branch, value));
    } else if (step.kind === "if") {
      const holds = step.key === "then";
      const condition = conditionOf(model, step);
      parts = parts.filter(({ value }) => condition === undefined || holdsAt(model, condition, value) === holds);
    } else if (!handlerOf(step).inPlace) {
      const segment = place.at[depth] as string;
      depth += 1;
      parts = parts.flatMap((part) => partsOf(part, segment));
    }
    if (parts.length === 0) return { steps: index, parts };
  }
  return { steps: place.steps.length, parts };
}

/** Up to draft-07, a condition that is a reference does not have a schema of its own: it equals its target. */
function conditionOf(model: Model, { node, site }: EvaluationStep): Location | undefined {
  const keyword = nodeAt(model, node).keywords.find((each) => each.site === site);
  return keyword?.kind === "if" ? keyword.condition : undefined;
}

function partsOf({ at, value }: ReachedPart, segment: string): ReachedPart[] {
  if (segment !== "*")
    return valuesInside(value, segment).map((each) => ({ at: pointer.append(at, segment), value: each }));
  if (Array.isArray(value)) return value.map((each, index) => ({ at: `${at}/${index}`, value: each }));
  if (!isObject(value)) return [];
  return Object.entries(value).map(([name, each]) => ({ at: pointer.append(at, name), value: each }));
}

function valuesInside(value: Json, segment: string): Json[] {
  if (Array.isArray(value)) return segment === "*" ? value : value.slice(Number(segment), Number(segment) + 1);
  if (!isObject(value)) return [];
  return segment === "*" ? Object.values(value) : Object.hasOwn(value, segment) ? [value[segment] as Json] : [];
}

/** The first location, among those of a place, at which a keyword applies to a valid instance. */
export function locate(model: Model, place: EvaluationPlace, keyword: Keyword, instance: Json): string | undefined {
  let found: string | undefined;
  if (
    place.at.reduce((values, segment) => values.flatMap((value) => valuesInside(value, segment)), [instance]).length ===
    0
  )
    return undefined;
  isValid(model, instance, {
    observe: ({ site }, at) => {
      if (found === undefined && site === keyword.site && matchesPath(place.at, at)) found = at;
    },
  });
  return found;
}

function matchesPath(wanted: readonly string[], at: string): boolean {
  const segments = pointer.segments(at);
  return (
    segments.length === wanted.length &&
    segments.every((segment, index) => wanted[index] === "*" || wanted[index] === segment)
  );
}
