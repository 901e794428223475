import { isObject, type Json, pointer } from "../../schemas/index.ts";
import { holdsAt, isValid } from "../evaluate/evaluate.ts";
import type { EvaluationPlace } from "../evaluate/places.ts";
import { type Focus, type Formula, trueFormula } from "../formulas/formula.ts";
import { handlerOf } from "../keywords/table.ts";
import { type EvaluationStep, type Keyword, type Location, type Model, nodeAt } from "../model/model.ts";
import { type Solution, solve } from "../solve/solve.ts";

/** Finds a valid instance that reaches a place and fulfils a demand there. */
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

/** Finds an instance, similar to the hint, that breaks one site at a place and nothing else. */
export function reachBroken(model: Model, place: EvaluationPlace, site: Location, hint: Json): Solution {
  return solve(model, [formulaAlong(model, place, { break: site })], { depth: place.at.length, hint });
}

/** Makes the formula of a valid instance that reaches the place. At the place, the `end` applies instead. */
function formulaAlong(model: Model, { steps }: EvaluationPlace, end: Focus["end"]): Formula {
  return { op: "schema", node: model.root, sign: true, scope: {}, focus: { steps, end } };
}

/** Sorts the samples by the number of steps that they follow on the path to the place. */
export function nearestSamples(model: Model, place: EvaluationPlace, samples: readonly Json[]): Json[] {
  const ranked = samples.map((sample) => ({ sample, steps: countPasses(model, place, sample) }));
  return ranked.sort((first, second) => second.steps - first.steps).map(({ sample }) => sample);
}

/** Whether the evaluation of an instance follows the whole path to a place, on valid branches. */
export function passesThrough(model: Model, place: EvaluationPlace, instance: Json): boolean {
  return countPasses(model, place, instance) === place.steps.length;
}

/** How many steps of the path to the place the evaluation of an instance follows, on valid branches. */
function countPasses(model: Model, place: EvaluationPlace, sample: Json): number {
  return followPath(model, place, sample).steps;
}

/** Lists the locations of the parts of an instance that a place leads to, on valid branches. */
export function partsAt(model: Model, place: EvaluationPlace, instance: Json): string[] {
  const { steps, parts } = followPath(model, place, instance);
  return steps === place.steps.length ? parts.map(({ at }) => at) : [];
}

/** Lists the locations of the parts of an instance that match the location of a place, on any branch. */
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

/** Returns the schema of a condition. Up to draft-07, for a condition that is a reference, this is the target of the reference. */
function conditionOf(model: Model, { node, site }: EvaluationStep): Location | undefined {
  const keyword = nodeAt(model, node).keywords.find((keyword) => keyword.site === site);
  return keyword?.kind === "if" ? keyword.condition : undefined;
}

function partsOf({ at, value }: ReachedPart, segment: string): ReachedPart[] {
  if (segment !== "*")
    return valuesInside(value, segment).map((inner) => ({ at: pointer.append(at, segment), value: inner }));
  if (Array.isArray(value)) return value.map((item, index) => ({ at: `${at}/${index}`, value: item }));
  if (!isObject(value)) return [];
  return Object.entries(value).map(([name, member]) => ({ at: pointer.append(at, name), value: member }));
}

function valuesInside(value: Json, segment: string): Json[] {
  if (Array.isArray(value)) return segment === "*" ? value : value.slice(Number(segment), Number(segment) + 1);
  if (!isObject(value)) return [];
  if (segment === "*") return Object.values(value);
  return Object.hasOwn(value, segment) ? [value[segment] as Json] : [];
}

/** Finds the first location, among those of a place, at which a keyword applies to a valid instance. */
export function locate(model: Model, place: EvaluationPlace, keyword: Keyword, instance: Json): string | undefined {
  let located: string | undefined;
  if (
    place.at.reduce((values, segment) => values.flatMap((value) => valuesInside(value, segment)), [instance]).length ===
    0
  )
    return undefined;
  isValid(model, instance, {
    observe: ({ site }, at) => {
      if (located === undefined && site === keyword.site && matchesPath(place.at, at)) located = at;
    },
  });
  return located;
}

function matchesPath(pattern: readonly string[], at: string): boolean {
  const segments = pointer.segments(at);
  return (
    segments.length === pattern.length &&
    segments.every((segment, index) => pattern[index] === "*" || pattern[index] === segment)
  );
}
