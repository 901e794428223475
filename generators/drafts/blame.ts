import { isObject, type Json, pointer } from "../../schemas/index.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { type EvaluationPlace, places } from "../evaluate/places.ts";
import { keywordAt, siteAt, sitesOf } from "../evaluate/sites.ts";
import type { Keyword, Location, Model } from "../model/model.ts";
import type { Subject } from "./draft.ts";
import { type FaultStep, routeTo } from "./route.ts";

/** The assertion that an instance is refused for, and the evaluation path to it. */
export interface Blame {
  site: Location;
  place: EvaluationPlace;
  route: FaultStep[];
  /** Whether nothing else is broken. */
  isAlone: boolean;
}

/** Where to accept several broken assertions: nowhere, at the root, or in any part that must be valid. */
export type BlameScope = "nowhere" | "root" | "anywhere";

/**
 * Finds the assertion that a refused instance breaks. If it breaks several, the result is a decisive one: no other assertion compensates for it, and
 * the subject's `decides` does not exclude it. Undefined if there is none.
 */
export function blameFor(subject: Subject, instance: Json, scope: BlameScope): Blame | undefined {
  const { model } = subject;
  const failing = new Map<Location, { keyword: Keyword; at: string }>();
  isValid(model, instance, {
    observe: (keyword, at, _value, holds) => {
      if (holds) return;
      for (const { location } of sitesOf(keyword, model))
        if (!failing.has(location)) failing.set(location, { keyword, at });
    },
  });
  const isolated = [...failing.keys()]
    .filter((site) => isValid(model, instance, { without: site }))
    .flatMap((site) => blameOf(model, site, true));
  // If an implementation may ignore one of these assertions, it may accept the instance.
  const undecided = isolated.find(({ site, route }) => subject.decides?.(site, route) === false);
  const [first] = undecided === undefined ? isolated : [undecided];
  if (first !== undefined)
    return scope !== "nowhere" && undecided === undefined && isolated.length > 1 ? { ...first, isAlone: false } : first;
  if (scope === "nowhere") return undefined;
  for (const [site, { keyword, at }] of failing) {
    const isCandidate =
      scope === "anywhere" ? plainKeywordsAnywhere.has(keyword.kind) : at === "" && plainKeywords.has(keyword.kind);
    if (!isCandidate || isPresentMember(model, keyword, site, pointer.at(at, instance))) continue;
    const [blame] = blameOf(model, site, false);
    const isCertain = blame?.place.steps.every(({ kind }) => certainKeywords[scope].has(kind)) === true;
    if (isCertain && subject.decides?.(site, blame.route) !== false) return blame;
  }
  return undefined;
}

function blameOf(model: Model, site: Location, isAlone: boolean): Blame[] {
  const place = firstPlaceOf(model, site);
  return place === undefined ? [] : [{ site, place, route: routeTo(model, place, site), isAlone }];
}

/** Whether a site is the entry of a required member that is present, and so not at fault. */
function isPresentMember(model: Model, keyword: Keyword, site: Location, instance: Json | undefined): boolean {
  if (keyword.kind !== "required" || !isObject(instance)) return false;
  const entry = siteAt(keyword, model, site)?.entry;
  const name = entry === undefined ? undefined : keyword.names[entry];
  return name !== undefined && Object.hasOwn(instance, name);
}

/** Keywords that a value satisfies or violates independently of others. */
const plainKeywords: ReadonlySet<Keyword["kind"]> = new Set([
  "required",
  "additionalProperties",
  "type",
  "const",
] as const);
const plainKeywordsAnywhere: ReadonlySet<Keyword["kind"]> = new Set([
  "required",
  "type",
  "const",
  "enum",
  "pattern",
] as const);

/** Steps after which a schema must always hold: for the same value, or also for its members and items. */
const certainKeywords: Readonly<Record<Exclude<BlameScope, "nowhere">, ReadonlySet<Keyword["kind"]>>> = {
  root: new Set(["ref", "allOf"] as const),
  anywhere: new Set(["ref", "allOf", "properties", "items"] as const),
};

const placesOfModel = new WeakMap<Model["nodes"], readonly EvaluationPlace[]>();

/** Finds the first place that leads to an assertion. */
function firstPlaceOf(model: Model, site: Location): EvaluationPlace | undefined {
  const modelPlaces = placesOfModel.get(model.nodes) ?? places(model);
  placesOfModel.set(model.nodes, modelPlaces);
  const holder = keywordAt(model, site)?.node;
  return modelPlaces.find(({ node }) => node === holder);
}
