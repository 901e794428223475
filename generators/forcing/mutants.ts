import { isObject, type JsonObject } from "../../schemas/index.ts";
import { childrenOf, type Location, type Model, nodeAt } from "../model/model.ts";
import { type Mutant, rawAt } from "./mutant.ts";
import { operators } from "./operators/index.ts";

/**
 * Every mutant of the schemas that the model's root reaches, each different change once. Resources in `elsewhere` have a set of their
 * own that answers for them.
 */
export function mutants(
  model: Model,
  schemas: readonly JsonObject[],
  elsewhere: ReadonlySet<string> = new Set(),
): Mutant[] {
  const found: Mutant[] = [];
  const seen = new Set<string>();
  for (const location of reachable(model)) {
    const raw = rawAt(schemas, location);
    if (!isObject(raw)) continue;
    const node = nodeAt(model, location);
    if (elsewhere.has(node.resource)) continue;
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
  const found = new Set([model.root]);
  for (const location of found)
    for (const keyword of nodeAt(model, location).keywords) for (const node of childrenOf(keyword)) found.add(node);
  return [...found];
}
