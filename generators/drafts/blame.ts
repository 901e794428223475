import { isObject, type Json, pointer } from "../../schemas/index.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { type EvaluationPlace, places } from "../evaluate/places.ts";
import { keywordAt, siteAt, sitesOf } from "../evaluate/sites.ts";
import type { Keyword, Location, Model } from "../model/model.ts";
import type { Subject } from "./draft.ts";
import { type FaultStep, routeTo } from "./route.ts";

/** The assertion for which an instance is refused, and the evaluation path to it. */
export interface Blame {
  site: Location;
  place: EvaluationPlace;
  route: FaultStep[];
  /** Whether nothing else is broken. */
  alone: boolean;
}

/** Where an instance may break several assertions: nowhere, at its root, or in any part that must be valid. */
export type BlameScope = "nowhere" | "root" | "anywhere";

/**
 * The assertion that a refused instance breaks. If it breaks several, one that no other can compensate for and that decides according to the subject.
 * Undefined if there is neither.
 */
export function blameFor(subject: Subject, instance: Json, several: BlameScope): Blame | undefined {
  const { model } = subject;
  const failing = new Map<Location, { keyword: Keyword; at: string }>();
  isValid(model, instance, {
    observe: (keyword, at, _value, holds) => {
      if (holds) return;
      for (const { location } of sitesOf(keyword, model))
        if (!failing.has(location)) failing.set(location, { keyword, at });
    },
  });
  const single = [...failing.keys()]
    .filter((site) => isValid(model, instance, { without: site }))
    .flatMap((site) => blameOf(model, site, true));
  // If an implementation may ignore one of these assertions, it may accept the instance.
  const open = single.find(({ site, route }) => subject.decides?.(site, route) === false);
  const [first] = open === undefined ? single : [open];
  if (first !== undefined)
    return several !== "nowhere" && open === undefined && single.length > 1 ? { ...first, alone: false } : first;
  if (several === "nowhere") return undefined;
  for (const [site, { keyword, at }] of failing) {
    const isCandidate =
      several === "anywhere" ? plainAnywhere.has(keyword.kind) : at === "" && plainKeywords.has(keyword.kind);
    if (!isCandidate || isPresentMember(model, keyword, site, pointer.at(at, instance))) continue;
    const [found] = blameOf(model, site, false);
    const isCertain = found?.place.steps.every(({ kind }) => certainKeywords[several].has(kind)) === true;
    if (isCertain && subject.decides?.(site, found.route) !== false) return found;
  }
  return undefined;
}

function blameOf(model: Model, site: Location, alone: boolean): Blame[] {
  const place = firstPlaceOf(model, site);
  return place === undefined ? [] : [{ site, place, route: routeTo(model, place, site), alone }];
}

/** In a list of required members, a present member is not at fault. */
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
const plainAnywhere: ReadonlySet<Keyword["kind"]> = new Set(["required", "type", "const", "enum", "pattern"] as const);

/** Steps after which a schema must hold in any case: for the same value, or for a member too. */
const certainKeywords: Readonly<Record<Exclude<BlameScope, "nowhere">, ReadonlySet<Keyword["kind"]>>> = {
  root: new Set(["ref", "allOf"] as const),
  anywhere: new Set(["ref", "allOf", "properties", "items"] as const),
};

const placesOfModel = new WeakMap<Model["nodes"], readonly EvaluationPlace[]>();

/** The first place that leads to an assertion. */
function firstPlaceOf(model: Model, site: Location): EvaluationPlace | undefined {
  const all = placesOfModel.get(model.nodes) ?? places(model);
  placesOfModel.set(model.nodes, all);
  const holder = keywordAt(model, site)?.node;
  return all.find(({ node }) => node === holder);
}
