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

/** Returns the places at which a rule finds fault with an instance. */
type Complaints = (instance: Json) => readonly string[];

/**
 * Records in each vector that breaks a semantic rule the other members that participate. These are the places that its checker reports, and each
 * member that, changed alone, keeps the rule, or breaks it at the same place in the valid parent. An implementation that compares members may name
 * any of them. A single value that selects the document always participates. A recording names none, because nearly all its messages would participate.
 */
export function withInvolved(
  protocol: RuledProtocol,
  document: Document,
  vectors: readonly Vector[],
  parents: readonly Vector[] = vectors,
): Vector[] {
  if (document.role === "trace") return [...vectors];
  const selecting = Object.entries(document.when ?? {}).flatMap(([at, values]) => (values.length === 1 ? [at] : []));
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
    const seen = complaints(data);
    if (seen.length === 0) return vector;
    const validData = vectors.flatMap((candidate) =>
      candidate.rule === rule && candidate.valid === true ? (candidate.data ?? []) : [],
    );
    const original = byId.get(parent) ?? null;
    const effect = effects.get(`${rule} ${level} ${parent}`) ?? effectsIn(original, validData, complaints);
    effects.set(`${rule} ${level} ${parent}`, effect);
    // A place that contains the fault contains many other members.
    const soughtPlaces = seen
      .filter((seenPlace) => !at.startsWith(`${seenPlace}/`))
      .map((one) => nearestPlace(one, original));
    const stated = [...selecting, at, ...change.map(({ path }) => path)];
    const keeping = partsOf(data, stated, (place) =>
      variantsAt(place, data, validData, pointer.at(at, data)).some(
        (validMessage) => complaints(validMessage).length === 0,
      ),
    );
    const breaking = partsOf(data, [...stated, ...keeping], (place) =>
      effect(place).some((one) => soughtPlaces.some((each) => isFrom(each, one)) && !pointer.areRelated(one, place)),
    );
    const places = [
      ...(vector.involves ?? []),
      ...seen.filter((place) => !stated.some((one) => pointer.areRelated(one, place))),
      ...keeping,
      ...breaking,
    ];
    if (places.length === 0) return vector;
    const involves = [...new Set(places)].filter((place) => !places.some((one) => place.startsWith(`${one}/`)));
    return setInvolved(vector, involves);
  });
}

/**
 * Records in each vector that the schema refuses the other places at which validators report the fault. A condition is decided at one member and
 * concerns another, and a violation of one branch of a choice violates the others too. A validator that names one place may name any of them.
 */
export function withPlaces(placesIn: (instance: Json) => readonly string[], vectors: readonly Vector[]): Vector[] {
  return vectors.map((vector) => {
    const { valid, data, at, change = [] } = vector;
    if (valid !== false || data === undefined || at === undefined) return vector;
    const stated = [at, ...change.map(({ path }) => path)];
    const otherPlaces = placesIn(data).filter((place) => !stated.some((one) => pointer.areRelated(one, place)));
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
const maxParents = 2;

/**
 * Variants of a message: without the member at a place, and with the values that valid messages have there. A present list may also be extended by
 * the `lacking` item.
 */
function variantsAt(place: string, message: Json, validData: readonly Json[], lacking?: Json): Json[] {
  const value = pointer.at(place, message);
  if (value === undefined) return [];
  const validValues = validData
    .filter((each) => pointer.has(place, each))
    .map((each) => pointer.at(place, each) as Json);
  // A list of objects contains many other members.
  const lists = validValues.filter((each) => Array.isArray(each) && !each.some((item) => typeof item === "object"));
  const extended = Array.isArray(value) && lacking !== undefined ? [[...value, lacking]] : [];
  const holder = pointer.at(pointer.split(place).parent, message);
  // Removing an entry of a list would move the others.
  const removed: Change[] = isObject(holder) ? [{ op: "remove", path: place }] : [];
  const replaced = [...firstDifferent(validValues.flat(), value), ...firstDifferent(lists, value), ...extended].map(
    (each): Change => ({ op: "replace", path: place, value: each }),
  );
  return [...removed, ...replaced].flatMap((change) => applyChanges(message, [change]) ?? []);
}

/** The first few values that differ from one, and from each other. */
function firstDifferent(values: readonly Json[], value: Json): Json[] {
  const byText = new Map(values.map((each) => [JSON.stringify(each), each]));
  byText.delete(JSON.stringify(value));
  return [...byText.values()].slice(0, maxParents);
}

/** Returns a function with the places of new complaints about a message after changes at one place. */
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
        .filter((one) => !originalComplaints.includes(one));
    cache.set(place, complaintsAfter);
    return complaintsAfter;
  };
}

/** The innermost members that participate, besides the stated ones. If all members of an object participate, or one item of a list, it is the whole. */
function partsOf(whole: Json, stated: readonly string[], participates: (place: string) => boolean): string[] {
  const participantsIn = (value: Json, at: string): string[] => {
    if (!isObject(value) && !Array.isArray(value)) return [];
    const places = Object.keys(value).map((name) => pointer.append(at, name));
    const parts = Object.values(value).map((each, index) => {
      const place = places[index] as string;
      if (stated.some((one) => one === place || place.startsWith(`${one}/`))) return [];
      const inner = participantsIn(each, place);
      const isAround = stated.some((one) => one.startsWith(`${place}/`));
      return inner.length === 0 && !isAround && participates(place) ? [place] : inner;
    });
    const isPart = parts.map((inner, index) => inner[0] === places[index]);
    const isAll = Array.isArray(value) ? isPart.includes(true) : parts.length > 1 && !isPart.includes(false);
    return isAll && at !== "" && !stated.some((one) => one.startsWith(`${at}/`)) ? [at] : parts.flat();
  };
  return participantsIn(whole, "");
}

/** The place of a complaint, or the innermost existing place that contains it. */
interface Sought {
  place: string;
  isThere: boolean;
}

/** The place itself if the message has it, otherwise the nearest existing one. */
function nearestPlace(at: string, message: Json): Sought {
  let place = at;
  while (place !== "" && !pointer.has(place, message)) place = pointer.split(place).parent;
  return { place, isThere: place === at || place === "" };
}

function isFrom({ place, isThere }: Sought, complaint: string): boolean {
  return complaint === place || (!isThere && complaint.startsWith(`${place}/`));
}
