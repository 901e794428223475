import { isObject, type JsonObject } from "../../schemas/index.ts";
import type { TestedElsewhere } from "../drafts/other-documents.ts";
import { childrenOf } from "../keywords/table.ts";
import { type Location, type Model, nodeAt } from "../model/model.ts";
import { pairMistakes } from "./copies.ts";
import { dialectAt, type Mutant, rawAt } from "./mutant.ts";
import { operators } from "./operators/index.ts";
import { mutateSingleUses } from "./single-use.ts";

/** The maximum number of mutants, and of characters of their edits: more would be too slow. */
const maxima = { mutants: 20_000, characters: 20_000_000 };

/**
 * Every mutant of the schemas that the model's root reaches, each different change once. Schemas in `elsewhere` have their own set, with their own
 * mutants.
 */
export function mutants(
  model: Model,
  schemas: readonly JsonObject[],
  elsewhere: TestedElsewhere = new Set(),
): Mutant[] {
  return mutantsOf(model, schemas, elsewhere).all;
}

/** The mutants, outermost first and fine ones last, until time is up; and whether there are more. */
export function mutantsOf(
  model: Model,
  schemas: readonly JsonObject[],
  elsewhere: TestedElsewhere,
  isOver: () => boolean = () => false,
): { all: Mutant[]; partial: boolean } {
  const all: Mutant[] = [];
  const fine: Mutant[] = [];
  const makeMutants = () => [...all, ...fine];
  const seen = new Set<string>();
  let characters = 0;
  for (const location of reachableLocations(model)) {
    if (isOver()) return { all: makeMutants(), partial: true };
    const raw = rawAt(schemas, location);
    if (!isObject(raw)) continue;
    const node = nodeAt(model, location);
    const source = { dialect: dialectAt(schemas, location), schemas };
    const isAway = elsewhere.has(node.location, node.resource);
    for (const operator of operators) {
      for (const mutant of operator.mutate(node, model, raw, source)) {
        if (isAway && mutant.single === true) continue;
        const key = JSON.stringify(mutant.edits);
        if (seen.has(key)) continue;
        if (seen.size === maxima.mutants || characters > maxima.characters)
          return { all: makeMutants(), partial: true };
        seen.add(key);
        characters += key.length;
        (mutant.fine === true && mutant.soon !== true ? fine : all).push({
          operator: operator.name,
          ...mutant,
          ...(isAway ? { away: true as const } : {}),
        });
      }
    }
  }
  const usual = all.filter((mutant) => mutant.fine !== true);
  const copies = [...pairMistakes(model, usual, isOver), ...mutateSingleUses(model, schemas, usual, isOver)];
  return { all: [...all, ...copies, ...fine], partial: isOver() };
}

/** Schemas that the root reaches, including conditions and the schemas of `not` and `contains`. */
function reachableLocations(model: Model): Location[] {
  const found = new Set([model.root]);
  for (const location of found)
    for (const keyword of nodeAt(model, location).keywords) for (const node of childrenOf(keyword)) found.add(node);
  return [...found];
}
