import type { Json } from "../../schemas/index.ts";
import { joinWithCopy } from "../evaluate/model-pair.ts";
import type { EvaluationPlace } from "../evaluate/places.ts";
import { withoutSite } from "../evaluate/reduced-model.ts";
import type { Formula } from "../formulas/formula.ts";
import { type Location, type Model, type Node, nodeAt, scopeInside } from "../model/model.ts";
import { type Solution, solutions } from "../solve/solve.ts";
import { type Mutant, mutateModel } from "./mutant.ts";
import { otherThan } from "./other-value.ts";
import { isMonotonic } from "./polarity.ts";

const prefix = "mutant:";

/** The verdicts to search for: a weaker mutant accepts everything that the schema accepts, so only refused instances distinguish it. */
const verdictsToTry = { weaker: [false], stronger: [true], other: [true, false] };

/** The search budgets, in steps, for a value at one place and for a whole instance. */
const budgets = { value: 20_000, instance: 60_000 };

/** Finds values at one place that the schema there and its mutant judge differently. If possible, they satisfy the schema's other keywords. */
export function* distinguishingValues(
  model: Model,
  mutant: Mutant,
  { place, hint, limit }: { place: EvaluationPlace; hint: Json | undefined; limit: number },
): Generator<Json> {
  const changedNode = mutant.nodes.find(({ location }) => location === place.node);
  if (changedNode === undefined) return;
  const changedCopy: Node = { ...changedNode, location: prefix + changedNode.location };
  const nodes = new Map(model.nodes).set(changedCopy.location, changedCopy);
  for (const node of mutant.nodes) if (!nodes.has(node.location)) nodes.set(node.location, node);
  const merged: Model = { ...model, nodes };
  const scope = scopeInside(model, nodeAt(model, place.node), place.scope);
  const schemaFormula = (node: string, sign: boolean): Formula => ({ op: "schema", node, sign, scope });
  for (const valid of verdictsToTry[mutant.effect]) {
    const formulas = [schemaFormula(place.node, valid), schemaFormula(changedCopy.location, !valid)];
    for (const solution of solutions(merged, formulas, {
      limit,
      budget: budgets.value,
      ...(hint === undefined ? {} : { hint }),
    })) {
      if ("found" in solution) yield solution.found;
    }
  }
}

/**
 * Finds instances, other than the known ones, that the whole schema and its mutant judge differently. If it finds none, it yields `none` if that is proven,
 * and `gaveUp` otherwise.
 */
export function* distinguishingInstances(
  model: Model,
  mutant: Mutant,
  { hint, limit, known = [] }: { hint: Json | undefined; limit: number; known?: readonly Json[] },
): Generator<Solution> {
  const changedLocations = mutant.nodes.map(({ location }) => location);
  const changedModel = mutateModel(model, mutant);
  const { model: merged, twin } = joinWithCopy(model, changedModel, changedLocations, prefix);
  const schemaFormula = (node: string, sign: boolean): Formula => ({ op: "schema", node, sign, scope: {} });
  const otherInstances = known.map(otherThan);
  let gaveUp: string | undefined;
  let count = 0;
  for (const valid of verdictsToTry[isMonotonic(changedModel, changedLocations) ? mutant.effect : "other"]) {
    const formulas = [schemaFormula(model.root, valid), schemaFormula(twin, !valid), ...otherInstances];
    for (const solution of solutions(merged, formulas, {
      limit: limit - count,
      budget: budgets.instance,
      ...(hint === undefined ? {} : { hint }),
    })) {
      if ("gaveUp" in solution) gaveUp = solution.gaveUp;
      if (!("found" in solution)) continue;
      count += 1;
      yield solution;
      if (count === limit) return;
    }
  }
  if (count === 0) yield gaveUp === undefined ? { none: true } : { gaveUp };
}

/** Finds an instance that the schema refuses only because of the assertion at `site`, and that the mutant accepts. */
export function isolatingInstance(
  model: Model,
  mutant: Mutant,
  site: Location,
  hint: Json | undefined,
): Json | undefined {
  const relaxedSchema = withoutSite(model, site);
  if (relaxedSchema === undefined) return undefined;
  const changedLocations = mutant.nodes.map(({ location }) => location);
  const { model: merged, twin } = joinWithCopy(model, mutateModel(model, mutant), changedLocations, prefix);
  const withRelaxed = joinWithCopy(
    merged,
    {
      ...relaxedSchema.model,
      nodes: new Map(merged.nodes).set(relaxedSchema.changed, nodeAt(relaxedSchema.model, relaxedSchema.changed)),
    },
    [relaxedSchema.changed],
    "spared:",
  );
  const schemaFormula = (node: string, sign: boolean): Formula => ({ op: "schema", node, sign, scope: {} });
  const formulas = [schemaFormula(withRelaxed.twin, true), schemaFormula(twin, true), schemaFormula(model.root, false)];
  const limits = { limit: 1, budget: budgets.instance, ...(hint === undefined ? {} : { hint }) };
  for (const solution of solutions(withRelaxed.model, formulas, limits)) if ("found" in solution) return solution.found;
  return undefined;
}
