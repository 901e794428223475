import type { Json } from "../../schemas/index.ts";
import type { Subject } from "../drafts/draft.ts";
import { locate, reach } from "../drafts/reach.ts";
import { repairFor } from "../drafts/repair.ts";
import { isValid } from "../evaluate/evaluate.ts";
import type { EvaluationPlace } from "../evaluate/places.ts";
import type { Keyword, Location } from "../model/model.ts";

/** A valid instance to change, and the location at which a keyword applies to it. */
export interface Base {
  parent: Json;
  at: string;
}

/** Valid instances that reach a keyword at a place. All mutants of the keyword ask for the same instance. */
export class Bases {
  readonly #subject: Subject;
  readonly #known = new Map<EvaluationPlace, Map<Location, Base | undefined>>();

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  at(place: EvaluationPlace, keyword: Keyword): Base | undefined {
    const known = this.#known.get(place) ?? new Map<Location, Base | undefined>();
    this.#known.set(place, known);
    if (known.has(keyword.site)) return known.get(keyword.site);
    const base = findBase(this.#subject, place, keyword);
    // A search that ended early may find more when it is repeated.
    if (this.#subject.model.effort?.isSpent !== true) known.set(keyword.site, base);
    return base;
  }
}

function findBase(subject: Subject, place: EvaluationPlace, keyword: Keyword): Base | undefined {
  const { model, samples } = subject;
  const solution = reach(model, place, samples);
  if (!("found" in solution) || !isValid(model, solution.found)) return undefined;
  const at = locate(model, place, keyword, solution.found);
  if (at === undefined) return undefined;
  return { at, parent: repairFor(subject, place, { keyword, instance: solution.found, at }) };
}
