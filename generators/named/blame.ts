import { isObject, type Json } from "../../schemas/index.ts";
import type { Subject } from "../drafts/draft.ts";
import { type FaultStep, routeTo } from "../drafts/route.ts";
import { isValid } from "../evaluate/evaluate.ts";
import { type Place, places } from "../evaluate/places.ts";
import { keywordAt, siteAt, sitesOf } from "../evaluate/sites.ts";
import type { Keyword, Location, Model } from "../model/model.ts";

/** The assertion for which an instance is refused, and the evaluation path to it. */
export interface Blame {
  site: Location;
  place: Place;
  route: FaultStep[];
  /** Nothing else is broken. */
  alone: boolean;
}

/**
 * What an instance that the schema refuses breaks: one assertion alone, or, where it breaks several, one at the root that nothing else can make
 * up for and that the subject says decides. Undefined where neither is there.
 */
export function blameFor(subject: Subject, instance: Json, several: boolean): Blame | undefined {
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
    .flatMap((site) => blamed(model, site, true));
  // Whoever need not refuse it for one of these need not refuse it.
  const open = single.find(({ site, route }) => subject.decides?.(site, route) === false);
  const [first] = open === undefined ? single : [open];
  if (first !== undefined)
    return several && open === undefined && single.length > 1 ? { ...first, alone: false } : first;
  if (!several) return undefined;
  for (const [site, { keyword, at }] of failing) {
    if (at !== "" || !plain.has(keyword.kind) || isKept(model, keyword, site, instance)) continue;
    const [found] = blamed(model, site, false);
    const isSure = found?.place.steps.every(({ kind }) => kind === "ref" || kind === "allOf") === true;
    if (isSure && subject.decides?.(site, found.route) !== false) return found;
  }
  return undefined;
}

function blamed(model: Model, site: Location, alone: boolean): Blame[] {
  const place = placeOf(model, site);
  return place === undefined ? [] : [{ site, place, route: routeTo(model, place, site), alone }];
}

/** Of a list of required members those that are there are no fault. */
function isKept(model: Model, keyword: Keyword, site: Location, instance: Json): boolean {
  if (keyword.kind !== "required" || !isObject(instance)) return false;
  const entry = siteAt(keyword, model, site)?.entry;
  const name = entry === undefined ? undefined : keyword.names[entry];
  return name !== undefined && Object.hasOwn(instance, name);
}

/** Keywords that a value keeps or breaks by itself. */
const plain: ReadonlySet<Keyword["kind"]> = new Set(["required", "additionalProperties", "type", "const"] as const);

const known = new WeakMap<Model["nodes"], readonly Place[]>();

/** The first place that leads to an assertion. */
function placeOf(model: Model, site: Location): Place | undefined {
  const all = known.get(model.nodes) ?? places(model);
  known.set(model.nodes, all);
  const holder = keywordAt(model, site)?.node;
  return all.find(({ node }) => node === holder);
}
