import { type Json, pointer } from "../../schemas/index.ts";
import { isValid } from "../model/evaluate.ts";
import type { Keyword } from "../model/model.ts";
import type { Place } from "../model/paths.ts";
import { always, type Formula, facet, kinds } from "../solve/formula.ts";
import type { Draft, Drafts, Subject } from "./draft.ts";
import { locate, reach } from "./ground.ts";
import { mended } from "./heal.ts";

/** The location of a place in an instance, taking the first item or member where any will do. */
export function shallow(place: Place, instance: Json): string | undefined {
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

/** The valid vector in which a keyword of a place will be broken, or why there is none. */
export function parentFor(subject: Subject, drafts: Drafts, place: Place, keyword: Keyword): Parent | string {
  const { model, samples } = subject;
  const solution = reach(model, place, samples, exercise(keyword));
  if ("none" in solution) return "no valid instance exercises it";
  if ("gaveUp" in solution) return solution.gaveUp;
  if (!isValid(model, solution.found)) return "the solver's instance is not valid";
  const at = locate(model, place, keyword, solution.found);
  if (at === undefined) return "the solver's instance does not reach it";
  return {
    at,
    draft: drafts.add({
      data: mended(subject, place, keyword, solution.found, at),
      name: [at, "exercised", keyword.kind],
      at,
      says: `exercises ${keyword.kind}`,
      tags: [],
      shows: [],
      tells: [],
      site: keyword.site,
      place,
    }),
  };
}

/** What a value must be like so that the keyword has something to say about it. */
function exercise(keyword: Keyword): Formula {
  switch (keyword.kind) {
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
    case "multipleOf":
      return { op: "kinds", kinds: kinds.integer | kinds.fraction };
    case "minLength":
    case "maxLength":
    case "pattern":
    case "format":
      return { op: "kinds", kinds: kinds.string };
    case "minItems":
      return facet(kinds.array, ({ array }) => {
        array.max = Math.min(array.max, Math.max(keyword.limit, 1));
      });
    case "uniqueItems":
      return facet(kinds.array, ({ array }) => {
        array.min = Math.max(array.min, 1);
      });
    case "maxItems":
    case "contains":
    case "items":
    case "unevaluatedItems":
    case "prefixItems":
      return { op: "kinds", kinds: kinds.array };
    case "dependentRequired":
      return facet(kinds.object, ({ object }) => {
        const [entry] = keyword.entries;
        if (entry !== undefined) object.required.add(entry[0]);
      });
    case "required":
    case "additionalProperties":
    case "unevaluatedProperties":
    case "propertyNames":
    case "minProperties":
    case "maxProperties":
      return { op: "kinds", kinds: kinds.object };
    default:
      return always;
  }
}
