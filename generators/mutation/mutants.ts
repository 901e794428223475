import { isObject, type JsonObject } from "../../schemas/index.ts";
import type { TestedElsewhere } from "../drafts/other-documents.ts";
import { childrenOf } from "../keywords/table.ts";
import { type Location, type Model, nodeAt } from "../model/model.ts";
import { pairMistakes } from "./copies.ts";
import { dialectAt, type Mutant, rawAt } from "./mutant.ts";
import { operators } from "./operators/index.ts";
import { mutateSingleUses } from "./single-use.ts";

/** The maximum number of mutants, and of characters of all their edits. */
const maxima = { mutants: 20_000, characters: 20_000_000 };

/**
 * Lists every mutant of the schemas that the model's root reaches, without duplicates. Schemas in `elsewhere` have their own vectors, so those of
 * their mutants that need only one kill are left out.
 */
export function listMutants(
  model: Model,
  schemas: readonly JsonObject[],
  elsewhere: TestedElsewhere = new Set(),
): Mutant[] {
  return mutantsOf(model, schemas, elsewhere).all;
}

/** Makes mutants until time is up, outermost first and fine-grained ones last. `partial` says whether there are more. */
export function mutantsOf(
  model: Model,
  schemas: readonly JsonObject[],
  elsewhere: TestedElsewhere,
  isOver: () => boolean = () => false,
): { all: Mutant[]; partial: boolean } {
  const mutants: Mutant[] = [];
  const fineMutants: Mutant[] = [];
  const inOrder = () => [...mutants, ...fineMutants];
  const seenEdits = new Set<string>();
  let characters = 0;
  for (const location of reachableLocations(model)) {
    if (isOver()) return { all: inOrder(), partial: true };
    const raw = rawAt(schemas, location);
    if (!isObject(raw)) continue;
    const node = nodeAt(model, location);
    const source = { dialect: dialectAt(schemas, location), schemas };
    const isTestedElsewhere = elsewhere.has(node.location, node.resource);
    for (const operator of operators) {
      for (const mutant of operator.mutate(node, model, raw, source)) {
        if (isTestedElsewhere && mutant.needsOneKill === true) continue;
        const key = JSON.stringify(mutant.edits);
        if (seenEdits.has(key)) continue;
        if (seenEdits.size === maxima.mutants || characters > maxima.characters)
          return { all: inOrder(), partial: true };
        seenEdits.add(key);
        characters += key.length;
        (mutant.isFineGrained === true && mutant.isTriedEarly !== true ? fineMutants : mutants).push({
          operator: operator.name,
          ...mutant,
          ...(isTestedElsewhere ? { isFromElsewhere: true as const } : {}),
        });
      }
    }
  }
  const coarseMutants = mutants.filter((mutant) => mutant.isFineGrained !== true);
  const copies = [
    ...pairMistakes(model, coarseMutants, isOver),
    ...mutateSingleUses(model, schemas, coarseMutants, isOver),
  ];
  return { all: [...mutants, ...copies, ...fineMutants], partial: isOver() };
}

/** Lists the schemas that the root reaches, including conditions and the schemas of `not` and `contains`. */
function reachableLocations(model: Model): Location[] {
  const locations = new Set([model.root]);
  for (const location of locations)
    for (const keyword of nodeAt(model, location).keywords) for (const node of childrenOf(keyword)) locations.add(node);
  return [...locations];
}
