import type { EvaluationPlace } from "../evaluate/places.ts";
import { keywordAt } from "../evaluate/sites.ts";
import type { EvaluationStep, Location, Model } from "../model/model.ts";

/** A step of the path to a fault: a keyword on the path, or the broken keyword at its end. */
export interface FaultStep extends EvaluationStep {
  isBroken?: true;
}

/** Lists the path through a place to a site that is broken there. A schema `false` has no broken keyword. */
export function routeTo(model: Model, { steps }: EvaluationPlace, site: Location): FaultStep[] {
  const broken = keywordAt(model, site);
  return [...steps, ...(broken === undefined ? [] : [{ ...broken, isBroken: true as const }])];
}
