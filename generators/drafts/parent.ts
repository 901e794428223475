import { type Json, pointer } from "../../schemas/index.ts";
import { isValid } from "../evaluate/evaluate.ts";
import type { EvaluationPlace } from "../evaluate/places.ts";
import { handlerOf } from "../keywords/table.ts";
import type { Keyword } from "../model/model.ts";
import type { Draft, Drafts, Subject } from "./draft.ts";
import { locate, reach } from "./reach.ts";
import { repairFor } from "./repair.ts";

/** Finds the location of a place in an instance. A wildcard stands for the first item or member. */
export function locateFirst(place: EvaluationPlace, instance: Json): string | undefined {
  let at = "";
  for (const segment of place.at) {
    const value = pointer.at(at, instance);
    if (typeof value !== "object" || value === null) return undefined;
    const name = segment === "*" ? Object.keys(value)[0] : segment;
    if (name === undefined) return undefined;
    at = pointer.append(at, name);
  }
  return pointer.has(at, instance) ? at : undefined;
}

export interface Parent {
  draft: Draft;
  at: string;
}

/** Why no valid vector exercises a keyword. */
export interface NoParent {
  kind: "unreached" | "gave-up";
  why: string;
}

function unreachedParent(why: string): NoParent {
  return { kind: "unreached", why };
}

/** Finds a valid draft in which a keyword of a place can be broken, or the reason why there is none. */
export function parentFor(
  subject: Subject,
  drafts: Drafts,
  place: EvaluationPlace,
  keyword: Keyword,
): Parent | NoParent {
  const { model, samples } = subject;
  const solution = reach(model, place, samples, handlerOf(keyword).exercise?.(keyword));
  if ("none" in solution) return unreachedParent("no valid instance exercises it");
  if ("gaveUp" in solution) return { kind: "gave-up", why: solution.gaveUp };
  if (!isValid(model, solution.found)) return unreachedParent("the solver's instance is not valid");
  const at = locate(model, place, keyword, solution.found);
  if (at === undefined) return unreachedParent("the solver's instance does not reach it");
  return {
    at,
    draft: drafts.add({
      data: repairFor(subject, place, { keyword, instance: solution.found, at }),
      name: [at, "exercised", keyword.kind],
      at,
      says: `exercises ${keyword.kind}`,
      tags: [],
      features: [],
      uniqueFeatures: [],
      site: keyword.site,
      place,
    }),
  };
}
