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

/** The places in an instance about which a rule complains. */
type Complaints = (instance: Json) => readonly string[];

/**
 * Records for each message that breaks a semantic rule the other members that participate: the place where its checker sees the fault, and
 * each member with a change that alone keeps the rule, or breaks it at the same place in the right message from which this one was made. An
 * implementation that compares members may name any of them. The one value that makes it a message of this document participates in
 * everything. A recording names none: nearly all of its messages would participate.
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
    const counts = (breach: Breach): boolean => levels.indexOf(breach.level ?? "MUST") <= levels.indexOf(level);
    const own = checkers.filter((checker) => checker.rule === rule);
    const complaints: Complaints = (instance) =>
      inOnePass(() =>
        own.flatMap(({ check }) =>
          [...(check?.(instance, document.name) ?? [])].filter(counts).map((breach) => breach.at),
        ),
      );
    const seen = complaints(data);
    if (seen.length === 0) return vector;
    const right = vectors.flatMap((each) => (each.rule === rule && each.valid === true ? (each.data ?? []) : []));
    const original = byId.get(parent) ?? null;
    const effect = effects.get(`${rule} ${level} ${parent}`) ?? effectsIn(original, right, complaints);
    effects.set(`${rule} ${level} ${parent}`, effect);
    // A place around the fault is around much else.
    const sought = seen.filter((one) => !at.startsWith(`${one}/`)).map((one) => nearestPlace(one, original));
    const said = [...selecting, at, ...change.map(({ path }) => path)];
    const keeping = partsOf(data, said, (place) =>
      othersAt(place, data, right, pointer.at(at, data)).some((each) => complaints(each).length === 0),
    );
    const breaking = partsOf(data, [...said, ...keeping], (place) =>
      effect(place).some((one) => sought.some((each) => isFrom(each, one)) && !pointer.areRelated(one, place)),
    );
    const places = [
      ...(vector.involves ?? []),
      ...seen.filter((place) => !said.some((one) => pointer.areRelated(one, place))),
      ...keeping,
      ...breaking,
    ];
    if (places.length === 0) return vector;
    const involves = [...new Set(places)].filter((place) => !places.some((one) => place.startsWith(`${one}/`)));
    return setInvolved(vector, involves);
  });
}

/**
 * Says of each message that its schema refuses where else that is found out. A condition is decided at one member and concerns another, and
 * a violation of one branch of a choice violates the others as well: a validator that names only one place may name any of them.
 */
export function withPlaces(placesIn: (instance: Json) => readonly string[], vectors: readonly Vector[]): Vector[] {
  return vectors.map((vector) => {
    const { valid, data, at, change = [] } = vector;
    if (valid !== false || data === undefined || at === undefined) return vector;
    const said = [at, ...change.map(({ path }) => path)];
    const others = placesIn(data).filter((place) => !said.some((one) => pointer.areRelated(one, place)));
    const involves = [...new Set(others)].filter(
      (place) =>
        !others.some((outer) => outer !== place && pointer.areRelated(outer, place) && outer.length < place.length),
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

/** Values tried at a place: a signature over many messages is slow to check, and hardly anything shows with the third. */
const maxParents = 2;

/**
 * A message without the member at a place, and with the values of right messages there: one value, or a list of values, which may also be the
 * present list with the `lacking` item.
 */
function othersAt(place: string, message: Json, right: readonly Json[], lacking?: Json): Json[] {
  const value = pointer.at(place, message);
  if (value === undefined) return [];
  const there = right.filter((each) => pointer.has(place, each)).map((each) => pointer.at(place, each) as Json);
  // A list of objects is around much else.
  const lists = there.filter((each) => Array.isArray(each) && !each.some((item) => typeof item === "object"));
  const longer = Array.isArray(value) && lacking !== undefined ? [[...value, lacking]] : [];
  const holder = pointer.at(pointer.split(place).parent, message);
  // After the removal of an entry, the others have other places.
  const removed: Change[] = isObject(holder) ? [{ op: "remove", path: place }] : [];
  const replaced = [...firstOther(there.flat(), value), ...firstOther(lists, value), ...longer].map(
    (each): Change => ({ op: "replace", path: place, value: each }),
  );
  return [...removed, ...replaced].flatMap((change) => applyChanges(message, [change]) ?? []);
}

/** The first few values that differ from one, and from each other. */
function firstOther(values: readonly Json[], value: Json): Json[] {
  const byText = new Map(values.map((each) => [JSON.stringify(each), each]));
  byText.delete(JSON.stringify(value));
  return [...byText.values()].slice(0, maxParents);
}

/** The places where a rule complains about a message, unless it is kept after a change of the member at a place. */
function effectsIn(
  original: Json,
  right: readonly Json[],
  complaints: Complaints,
): (place: string) => readonly string[] {
  const before = complaints(original);
  const known = new Map<string, string[]>();
  return (place) => {
    const found =
      known.get(place) ??
      othersAt(place, original, right)
        .flatMap(complaints)
        .filter((one) => !before.includes(one));
    known.set(place, found);
    return found;
  };
}

/** The innermost members that participate, in addition to the `said` ones; the whole around them if all its members do, or if it is a list. */
function partsOf(whole: Json, said: readonly string[], takesPart: (place: string) => boolean): string[] {
  const within = (value: Json, at: string): string[] => {
    if (!isObject(value) && !Array.isArray(value)) return [];
    const places = Object.keys(value).map((name) => pointer.append(at, name));
    const parts = Object.values(value).map((each, index) => {
      const place = places[index] as string;
      if (said.some((one) => one === place || place.startsWith(`${one}/`))) return [];
      const inner = within(each, place);
      const isAround = said.some((one) => one.startsWith(`${place}/`));
      return inner.length === 0 && !isAround && takesPart(place) ? [place] : inner;
    });
    const isPart = parts.map((inner, index) => inner[0] === places[index]);
    const isAll = Array.isArray(value) ? isPart.includes(true) : parts.length > 1 && !isPart.includes(false);
    return isAll && at !== "" && !said.some((one) => one.startsWith(`${at}/`)) ? [at] : parts.flat();
  };
  return within(whole, "");
}

/** The place of a complaint, or around it the innermost that a message has. */
interface Sought {
  place: string;
  isThere: boolean;
}

/** A member that only the valid message has cannot be the place of a complaint. */
function nearestPlace(at: string, message: Json): Sought {
  let place = at;
  while (place !== "" && !pointer.has(place, message)) place = pointer.split(place).parent;
  return { place, isThere: place === at || place === "" };
}

function isFrom({ place, isThere }: Sought, complaint: string): boolean {
  return complaint === place || (!isThere && complaint.startsWith(`${place}/`));
}
