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

/** Valid instances that reach a keyword at a place. Cached, because all mutants of the keyword use the same instance. */
export class Bases {
  readonly #subject: Subject;
  readonly #basesByPlace = new Map<EvaluationPlace, Map<Location, Base | undefined>>();

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  baseFor(place: EvaluationPlace, keyword: Keyword): Base | undefined {
    const baseBySite = this.#basesByPlace.get(place) ?? new Map<Location, Base | undefined>();
    this.#basesByPlace.set(place, baseBySite);
    if (baseBySite.has(keyword.site)) return baseBySite.get(keyword.site);
    const base = findBase(this.#subject, place, keyword);
    // A search that ran out of effort is repeated next time.
    if (this.#subject.model.effort?.isSpent !== true) baseBySite.set(keyword.site, base);
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
