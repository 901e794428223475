import { type Document, equal, isObject, type Json, type JsonObject, pointer } from "../../../schemas/index.ts";
import { followReference, type Locations } from "./locations.ts";

/** Members that have a value from a list in every message of a document: the lists, by JSON Pointer. */
export type Words = ReadonlyMap<string, readonly Json[]>;

const deepest = 4;
/** Limits the steps, since a hostile schema branches at each one. */
const maxSteps = 5000;
/** Usual names of the member that distinguishes messages, preferred to others. */
const usual = /^(@?type|\$type|__typename|kind|method|op|operation|operationName|action|command|event|verb)$/;

/** The words of a document, from its schema and from `when` in its profile. */
export function documentWords({ schema, when = {} }: Document, locations: Locations): Words {
  const whole = locations.at.get(`${schema.replace(/#$/, "")}#`) ?? {};
  return new Map([...Object.entries(when), ...wordsOf(whole, locations)]);
}

/** The words of a schema, through references, `allOf`, `oneOf` and `anyOf`. */
export function wordsOf(schema: Json, locations: Locations): Words {
  let steps = 0;
  return valuesWithin(schema, "", 0);

  function valuesWithin(part: Json, at: string, depth: number): Map<string, Json[]> {
    const found = new Map<string, Json[]>();
    steps += 1;
    if (depth > deepest || steps > maxSteps) return found;
    for (const layer of layersOf(part, locations)) {
      for (const [name, member] of Object.entries(isObject(layer.properties) ? layer.properties : {})) {
        const place = pointer.append(at, name);
        const list = listKinds(member, locations);
        narrowValues(found, list === undefined ? valuesWithin(member, place, depth + 1) : new Map([[place, list]]));
      }
      for (const branches of [layer.oneOf, layer.anyOf])
        if (Array.isArray(branches) && branches.length > 0)
          narrowValues(found, joinKinds(branches.map((branch) => valuesWithin(branch, at, depth + 1))));
    }
    return found;
  }
}

/** Whether a message may belong to the document with these words: no member has a value outside of its list. */
export function mayBeDocument(data: Json, words: Words): boolean {
  return [...words].every(([at, list]) => {
    const value = pointer.at(at, data);
    return value === undefined || isIn(value, list);
  });
}

/** The member that gives a message an unknown kind, with its value; undefined if the kind is known, or if the message has none. A value of another type than the words does not count. A list is checked message by message. */
export function unknownKind(data: Json, documents: readonly Words[]): string | undefined {
  if (Array.isArray(data)) {
    for (const [index, each] of data.entries()) {
      const at = Array.isArray(each) ? undefined : unknownKind(each, documents);
      if (at !== undefined) return `/${index}${at}`;
    }
    return undefined;
  }
  let left = documents;
  for (let places = distinguishingMembers(left); places.length > 0; places = distinguishingMembers(left)) {
    for (const place of places) {
      const value = pointer.at(place, data);
      const known = left.flatMap((words) => words.get(place) ?? []);
      if (value !== undefined && !isIn(value, known) && known.some((each) => typeof each === typeof value))
        return value === null || typeof value === "object" ? undefined : place;
    }
    const chosen = left.filter((words) =>
      places.every((place) => {
        const value = pointer.at(place, data);
        return value !== undefined && isIn(value, words.get(place) ?? []);
      }),
    );
    if (chosen.length === left.length) return undefined;
    left = chosen;
  }
  return undefined;
}

/** For each document, the member values that select it among all; empty if none do. */
export function selectorsOf(documents: readonly Words[]): Record<string, Json[]>[] {
  return documents.map((words) => {
    const selector: Record<string, Json[]> = {};
    let left = documents;
    for (let places = distinguishingMembers(left); places.length > 0; places = distinguishingMembers(left)) {
      const lists = places.map((place) => [place, words.get(place)] as const);
      for (const [place, list] of lists) if (list !== undefined) selector[place] = [...list];
      const alike = left.filter((each) =>
        lists.every(([place, list]) => list !== undefined && isSame(list, each.get(place) ?? [])),
      );
      if (alike.length === left.length) break;
      left = alike;
    }
    return selector;
  });
}

/** The members that distinguish documents: each word belongs to one document, or to several with the same list. Of several such members, the outermost of the ones in most documents. */
function distinguishingMembers(documents: readonly Words[]): string[] {
  const all = new Set(documents.flatMap((words) => [...words.keys()]));
  const found = [...all].flatMap((place) => {
    const lists = documents.flatMap((words) => {
      const list = words.get(place);
      return list === undefined ? [] : [list];
    });
    const isApart = lists.every((one) =>
      lists.every((other) => isSame(one, other) || !one.some((w) => isIn(w, other))),
    );
    const isTold = lists.some((list) => !isSame(list, lists[0] ?? []));
    return isApart && isTold ? [{ place, of: lists.length, depth: pointer.segments(place).length }] : [];
  });
  const maxMatches = Math.max(...found.map(({ of }) => of));
  const widest = found.filter(({ of }) => of === maxMatches);
  const outermost = Math.min(...widest.map(({ depth }) => depth));
  const best = widest.filter(({ depth }) => depth === outermost).map(({ place }) => place);
  const named = best.filter((place) => usual.test(pointer.segments(place).at(-1) ?? ""));
  return named.length > 0 ? named : best;
}

/** A schema, and the schemas that apply to the same value: by `$ref` and `allOf`. */
function layersOf(schema: Json, locations: Locations, seen: Set<Json> = new Set()): JsonObject[] {
  if (!isObject(schema) || seen.has(schema)) return [];
  seen.add(schema);
  const all = Array.isArray(schema.allOf) ? schema.allOf : [];
  const target = referredIn(schema, locations);
  const below = [...all, ...(target === undefined ? [] : [target])];
  return [schema, ...below.flatMap((each) => layersOf(each, locations, seen))];
}

function referredIn(schema: JsonObject, locations: Locations): JsonObject | undefined {
  try {
    return followReference(schema, locations);
  } catch {
    return undefined;
  }
}

/** The values that a schema lists; undefined if it accepts others as well. */
function listKinds(schema: Json, locations: Locations, depth = 0): Json[] | undefined {
  if (depth > deepest) return undefined;
  for (const layer of layersOf(schema, locations)) {
    if (Object.hasOwn(layer, "const")) return [layer.const as Json];
    if (Array.isArray(layer.enum)) return layer.enum;
    for (const branches of [layer.oneOf, layer.anyOf]) {
      if (!Array.isArray(branches) || branches.length === 0) continue;
      const lists = branches.map((branch) => listKinds(branch, locations, depth + 1));
      if (lists.every((list) => list !== undefined)) return lists.flat();
    }
  }
  return undefined;
}

/** Combines two conditions that must both be met. */
function narrowValues(found: Map<string, Json[]>, more: ReadonlyMap<string, Json[]>): void {
  for (const [place, list] of more) {
    const before = found.get(place);
    found.set(place, before === undefined ? list : before.filter((word) => isIn(word, list)));
  }
}

/** Combines alternatives; one of them must be met. */
function joinKinds(all: readonly ReadonlyMap<string, Json[]>[]): Map<string, Json[]> {
  const [first = new Map<string, Json[]>()] = all;
  const places = [...first.keys()].filter((place) => all.every((each) => each.has(place)));
  return new Map(places.map((place) => [place, all.flatMap((each) => each.get(place) ?? [])]));
}

function isSame(one: readonly Json[], other: readonly Json[]): boolean {
  return one.length === other.length && one.every((word) => isIn(word, other));
}

function isIn(value: Json, list: readonly Json[]): boolean {
  return list.some((each) => equal(each, value));
}
