import {
  type Breach,
  type Change,
  type Document,
  isObject,
  type Json,
  levels,
  pointer,
  type RuledProtocol,
  type Vector,
} from "../../schemas/index.ts";
import { applyChanges } from "../changes/patch.ts";
import { checkersOf } from "./families.ts";
import { inOnePass } from "./pass.ts";

/** Returns the places at which a rule finds a fault in an instance. */
type Complaints = (instance: Json) => readonly string[];

/**
 * For each vector that breaks a semantic rule, records the other members that participate. These are the places that its checker reports, and each
 * member that makes the difference alone: changing it keeps the rule, or breaks it at the same place in the valid parent. An implementation that
 * compares members may name any of them. A value that alone selects the document always participates. A recording names no members, because nearly
 * all its messages would participate.
 */
export function withInvolved(
  protocol: RuledProtocol,
  document: Document,
  vectors: readonly Vector[],
  parents: readonly Vector[] = vectors,
): Vector[] {
  if (document.role === "trace") return [...vectors];
  const selectorPlaces = Object.entries(document.when ?? {}).flatMap(([at, values]) =>
    values.length === 1 ? [at] : [],
  );
  const checkers = checkersOf(protocol.families, document.name);
  const byId = new Map(parents.map(({ id, data }) => [id, data]));
  const effects = new Map<string, (place: string) => readonly string[]>();
  return vectors.map((vector) => {
    const { valid, data, rule, at, parent = "", change = [], level = "MUST" } = vector;
    if (valid !== false || data === undefined || rule === undefined || at === undefined) return vector;
    // A member that lowers its level participates as well.
    const isGraveEnough = (breach: Breach): boolean => levels.indexOf(breach.level ?? "MUST") <= levels.indexOf(level);
    const ruleCheckers = checkers.filter((checker) => checker.rule === rule);
    const complaints: Complaints = (instance) =>
      inOnePass(() =>
        ruleCheckers.flatMap(({ check }) =>
          [...(check?.(instance, document.name) ?? [])].filter(isGraveEnough).map((breach) => breach.at),
        ),
      );
    const reportedPlaces = complaints(data);
    if (reportedPlaces.length === 0) return vector;
    const validData = vectors.flatMap((candidate) =>
      candidate.rule === rule && candidate.valid === true ? (candidate.data ?? []) : [],
    );
    const original = byId.get(parent) ?? null;
    const effect = effects.get(`${rule} ${level} ${parent}`) ?? effectsIn(original, validData, complaints);
    effects.set(`${rule} ${level} ${parent}`, effect);
    // A place that contains the fault contains many other members.
    const soughtPlaces = reportedPlaces
      .filter((seenPlace) => !at.startsWith(`${seenPlace}/`))
      .map((place) => nearestPlace(place, original));
    const statedPlaces = [...selectorPlaces, at, ...change.map(({ path }) => path)];
    const keepingPlaces = partsOf(data, statedPlaces, (place) =>
      variantsAt(place, data, validData, pointer.at(at, data)).some(
        (validMessage) => complaints(validMessage).length === 0,
      ),
    );
    const breakingPlaces = partsOf(data, [...statedPlaces, ...keepingPlaces], (place) =>
      effect(place).some(
        (complaint) => soughtPlaces.some((each) => concerns(each, complaint)) && !pointer.areRelated(complaint, place),
      ),
    );
    const places = [
      ...(vector.involves ?? []),
      ...reportedPlaces.filter((place) => !statedPlaces.some((statedPlace) => pointer.areRelated(statedPlace, place))),
      ...keepingPlaces,
      ...breakingPlaces,
    ];
    if (places.length === 0) return vector;
    const involves = [...new Set(places)].filter((place) => !places.some((outer) => place.startsWith(`${outer}/`)));
    return setInvolved(vector, involves);
  });
}

/**
 * For each vector that the schema refuses, records the other places at which validators report the fault. A condition is decided at one member and
 * concerns another, and a violation of one branch of a choice violates the others too. A validator that names one place may name any of them.
 */
export function withPlaces(placesIn: (instance: Json) => readonly string[], vectors: readonly Vector[]): Vector[] {
  return vectors.map((vector) => {
    const { valid, data, at, change = [] } = vector;
    if (valid !== false || data === undefined || at === undefined) return vector;
    const stated = [at, ...change.map(({ path }) => path)];
    const otherPlaces = placesIn(data).filter(
      (place) => !stated.some((statedPlace) => pointer.areRelated(statedPlace, place)),
    );
    const involves = [...new Set(otherPlaces)].filter(
      (place) =>
        !otherPlaces.some(
          (outer) => outer !== place && pointer.areRelated(outer, place) && outer.length < place.length,
        ),
    );
    return involves.length === 0 ? vector : setInvolved(vector, involves.sort());
  });
}

function setInvolved({ involves: _, ...vector }: Vector, involves: readonly string[]): Vector {
  const entries = Object.entries(vector).flatMap((each) =>
    each[0] === "at" ? [each, ["involves", involves]] : [each],
  );
  return Object.fromEntries(entries) as unknown as Vector;
}

/** Values tried at a place. A signature over many messages is slow to check, and a third value hardly ever adds a place. */
const maxValues = 2;

/**
 * Makes variants of a message: without the member at a place, and with the values that valid messages have there. A present list may also be extended by
 * the `missingItem`.
 */
function variantsAt(place: string, message: Json, validData: readonly Json[], missingItem?: Json): Json[] {
  const value = pointer.at(place, message);
  if (value === undefined) return [];
  const validValues = validData
    .filter((each) => pointer.has(place, each))
    .map((each) => pointer.at(place, each) as Json);
  // A list of objects contains many other members.
  const lists = validValues.filter((each) => Array.isArray(each) && !each.some((item) => typeof item === "object"));
  const extendedLists = Array.isArray(value) && missingItem !== undefined ? [[...value, missingItem]] : [];
  const holder = pointer.at(pointer.split(place).parent, message);
  // Removing an entry of a list would move the others.
  const removals: Change[] = isObject(holder) ? [{ op: "remove", path: place }] : [];
  const replacements = [
    ...firstDifferent(validValues.flat(), value),
    ...firstDifferent(lists, value),
    ...extendedLists,
  ].map((each): Change => ({ op: "replace", path: place, value: each }));
  return [...removals, ...replacements].flatMap((change) => applyChanges(message, [change]) ?? []);
}

/** Picks the first few values that differ from a value and from each other. */
function firstDifferent(values: readonly Json[], value: Json): Json[] {
  const byText = new Map(values.map((each) => [JSON.stringify(each), each]));
  byText.delete(JSON.stringify(value));
  return [...byText.values()].slice(0, maxValues);
}

/** Returns a function that changes a message at one place, and lists the places of the new complaints. */
function effectsIn(
  original: Json,
  validData: readonly Json[],
  complaints: Complaints,
): (place: string) => readonly string[] {
  const originalComplaints = complaints(original);
  const cache = new Map<string, string[]>();
  return (place) => {
    const complaintsAfter =
      cache.get(place) ??
      variantsAt(place, original, validData)
        .flatMap(complaints)
        .filter((complaint) => !originalComplaints.includes(complaint));
    cache.set(place, complaintsAfter);
    return complaintsAfter;
  };
}

/** Finds the innermost members that participate, besides the stated ones. If all members of an object or one item of a list participate, finds the whole. */
function partsOf(whole: Json, stated: readonly string[], participates: (place: string) => boolean): string[] {
  const participantsIn = (value: Json, at: string): string[] => {
    if (!isObject(value) && !Array.isArray(value)) return [];
    const places = Object.keys(value).map((name) => pointer.append(at, name));
    const parts = Object.values(value).map((each, index) => {
      const place = places[index] as string;
      if (stated.some((statedPlace) => statedPlace === place || place.startsWith(`${statedPlace}/`))) return [];
      const inner = participantsIn(each, place);
      const containsStated = stated.some((statedPlace) => statedPlace.startsWith(`${place}/`));
      return inner.length === 0 && !containsStated && participates(place) ? [place] : inner;
    });
    const isPart = parts.map((inner, index) => inner[0] === places[index]);
    const isAll = Array.isArray(value) ? isPart.includes(true) : parts.length > 1 && !isPart.includes(false);
    return isAll && at !== "" && !stated.some((statedPlace) => statedPlace.startsWith(`${at}/`)) ? [at] : parts.flat();
  };
  return participantsIn(whole, "");
}

/** The place of a complaint, or the innermost existing place that contains it. */
interface SoughtPlace {
  place: string;
  exists: boolean;
}

/** Returns the place itself if the message has it, otherwise the nearest existing one. */
function nearestPlace(at: string, message: Json): SoughtPlace {
  let place = at;
  while (place !== "" && !pointer.has(place, message)) place = pointer.split(place).parent;
  return { place, exists: place === at || place === "" };
}

function concerns({ place, exists }: SoughtPlace, complaint: string): boolean {
  return complaint === place || (!exists && complaint.startsWith(`${place}/`));
}
