import type { Json } from "../../schemas/index.ts";
import type { Subject } from "../drafts/draft.ts";
import { holdsAt } from "../evaluate/evaluate.ts";
import type { EvaluationPlace } from "../evaluate/places.ts";
import type { Location } from "../model/model.ts";
import { distinguishingValues } from "./distinguish.ts";
import { witnessOf } from "./kills.ts";
import { type Mutant, mutateModel } from "./mutant.ts";

/** The maximum number of values from the solver for one place. One is not enough, because it may break a semantic rule. */
const maxValues = 12;

/** The maximum number of values from rule-keeping instances that are tried for a mutant. */
const maxRuleKeeping = 3;

/** The maximum number of values that are collected for one schema. */
const maxCollected = 60;

/** The values in instances that break no rule, by the schemas that judge them. */
export class RuleKeepingValues {
  readonly #subject: Subject;
  #valuesByLocation: ReadonlyMap<Location, readonly Json[]> | undefined;

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  valuesAt(location: Location): readonly Json[] {
    this.#valuesByLocation ??= this.#collectValues();
    return this.#valuesByLocation.get(location) ?? [];
  }

  #collectValues(): ReadonlyMap<Location, readonly Json[]> {
    const { model, examples = [], otherExamples = [] } = this.#subject;
    const valuesByLocation = new Map<Location, Map<string, Json>>();
    for (const instance of [...examples, ...otherExamples])
      for (const [location, values] of witnessOf(model, instance).judgedValues) {
        const distinctValues = valuesByLocation.get(location) ?? new Map<string, Json>();
        valuesByLocation.set(location, distinctValues);
        for (const { value } of values)
          if (distinctValues.size < maxCollected) distinctValues.set(JSON.stringify(value), value);
      }
    return new Map([...valuesByLocation].map(([location, values]) => [location, [...values.values()]]));
  }
}

/** Finds values that the schema at a place and its mutant judge differently: first from rule-keeping instances, then from the solver. */
export function* distinguishingCandidates(
  { model }: Subject,
  ruleKeepingValues: RuleKeepingValues,
  mutant: Mutant,
  { place, hint }: { place: EvaluationPlace; hint: Json | undefined },
): Generator<Json> {
  const { node } = place;
  const mutatedModel = mutateModel(model, mutant);
  let count = 0;
  for (const value of ruleKeepingValues.valuesAt(node)) {
    if (holdsAt(mutatedModel, node, value) === holdsAt(model, node, value)) continue;
    yield value;
    count += 1;
    if (count === maxRuleKeeping) break;
  }
  yield* distinguishingValues(model, mutant, { place, hint, limit: maxValues });
}
