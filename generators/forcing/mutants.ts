import { isObject, type JsonObject } from "../../schemas/index.ts";
import type { Location, Model } from "../model/model.ts";
import { nodeAt } from "../model/model.ts";
import { places } from "../model/paths.ts";
import { type Mutant, rawAt } from "./mutant.ts";
import { operators } from "./operators/index.ts";

/** Every mutant of the schemas that the model's root reaches, each different change once. */
export function mutants(model: Model, schemas: readonly JsonObject[]): Mutant[] {
  const found: Mutant[] = [];
  const seen = new Set<string>();
  for (const location of reachable(model)) {
    const raw = rawAt(schemas, location);
    if (!isObject(raw)) continue;
    const node = nodeAt(model, location);
    for (const operator of operators) {
      for (const mutant of operator.mutate(node, model, raw)) {
        const key = JSON.stringify(mutant.edits);
        if (seen.has(key)) continue;
        seen.add(key);
        found.push({ operator: operator.name, ...mutant });
      }
    }
  }
  return found;
}

/** Schemas that the root reaches, also those that only choose: conditions and what `not` and `contains` look for. */
function reachable(model: Model): Location[] {
  const found = new Set(places(model).map(({ node }) => node));
  for (const location of found) {
    for (const keyword of nodeAt(model, location).keywords) {
      if (keyword.kind === "if") found.add(keyword.condition);
      else if (
        keyword.kind === "not" ||
        keyword.kind === "contains" ||
        keyword.kind === "ref" ||
        keyword.kind === "propertyNames"
      )
        found.add(keyword.node);
      else if (
        keyword.kind === "allOf" ||
        keyword.kind === "anyOf" ||
        keyword.kind === "oneOf" ||
        keyword.kind === "prefixItems"
      )
        for (const node of keyword.nodes) found.add(node);
      else if (keyword.kind === "properties") for (const [, node] of keyword.entries) found.add(node);
      else if (keyword.kind === "items" || keyword.kind === "additionalProperties") found.add(keyword.node);
    }
  }
  return [...found];
}
