import type { Json } from "../../schemas/index.ts";
import { isValid } from "../model/evaluate.ts";
import type { Location, Model } from "../model/model.ts";
import { type Mutant, mutated } from "./mutant.ts";

/** An instance with its verdict, the schemas that its evaluation passes through, and the keywords that fail on the way. */
export interface Witness {
  data: Json;
  valid: boolean;
  nodes: ReadonlySet<Location>;
  failed: ReadonlySet<Location>;
}

export function witnessOf(model: Model, data: Json): Witness {
  const nodes = new Set<Location>();
  const failed = new Set<Location>();
  const valid = isValid(model, data, {
    observe: ({ site }, _at, _value, holds) => {
      nodes.add(site.slice(0, site.lastIndexOf("/")));
      if (!holds) failed.add(site);
    },
  });
  return { data, valid, nodes, failed };
}

/** The witnesses that a mutant judges otherwise than the schema, at most `enough` of them. */
export function killers(model: Model, mutant: Mutant, witnesses: readonly Witness[], enough: number): Witness[] {
  const changed = mutated(model, mutant);
  const isRelevant = relevance(model, mutant);
  const found: Witness[] = [];
  for (const witness of witnesses) {
    if (!isRelevant(witness) || isValid(changed, witness.data) === witness.valid) continue;
    found.push(witness);
    if (found.length >= enough) break;
  }
  return found;
}

/** A weaker keyword only matters where the keyword failed, any other change only where its schema is evaluated. */
function relevance(model: Model, mutant: Mutant): (witness: Witness) => boolean {
  const touched = mutant.nodes.map(({ location }) => location);
  if (mutant.effect !== "weaker") return ({ nodes }) => touched.some((location) => nodes.has(location));
  const weakened = mutant.nodes.flatMap((node) => {
    const kept = new Set(node.keywords);
    return (model.nodes.get(node.location)?.keywords ?? [])
      .filter((keyword) => !kept.has(keyword))
      .map(({ site }) => site);
  });
  return ({ failed }) => weakened.some((site) => failed.has(site));
}
