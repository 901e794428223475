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
  const selectors = documents.map((): Record<string, Json[]> => ({}));
  const open: number[][] = [[...documents.keys()]];
  for (let left = open.pop(); left !== undefined; left = open.pop()) {
    const places = distinguishingMembers(left.map((index) => documents[index] as Words));
    const alike = new Map<string, number[]>();
    for (const index of places.length === 0 ? [] : left) {
      const own = places.flatMap((place) => {
        const list = documents[index]?.get(place);
        return list === undefined ? [] : [[place, list] as const];
      });
      Object.assign(selectors[index] as object, Object.fromEntries(own.map(([place, list]) => [place, [...list]])));
      // A document without one of these members is like no other.
      const key = own.length < places.length ? `${index}` : own.map(([, list]) => keysOf(list).whole).join(" ");
      alike.set(key, [...(alike.get(key) ?? []), index]);
    }
    for (const each of alike.values()) if (each.length > 1 && each.length < left.length) open.push(each);
  }
  return selectors;
}

/** The lists of a member in some documents. */
interface MemberLists {
  count: number;
  /** The different lists. */
  wholes: Set<string>;
  /** The list of each word. */
  homes: Map<string, string>;
  /** Whether each word belongs to one list. */
  isApart: boolean;
}

/** The members that distinguish documents: each word belongs to one document, or to several with the same list. Of several such members, the outermost of the ones in most documents. */
function distinguishingMembers(documents: readonly Words[]): string[] {
  const found = new Map<string, MemberLists>();
  for (const words of documents)
    for (const [place, list] of words) {
      const own = found.get(place) ?? { count: 0, wholes: new Set(), homes: new Map(), isApart: true };
      found.set(place, own);
      const { whole, each } = keysOf(list);
      own.count += 1;
      own.wholes.add(whole);
      for (const word of own.isApart ? each : []) {
        own.isApart &&= (own.homes.get(word) ?? whole) === whole;
        own.homes.set(word, whole);
      }
    }
  const apart = [...found].filter(([, { isApart, wholes }]) => isApart && wholes.size > 1);
  const maxMatches = Math.max(...apart.map(([, { count }]) => count));
  const widest = apart.flatMap(([place, { count }]) =>
    count === maxMatches ? [{ place, depth: pointer.segments(place).length }] : [],
  );
  const outermost = Math.min(...widest.map(({ depth }) => depth));
  const best = widest.filter(({ depth }) => depth === outermost).map(({ place }) => place);
  const named = best.filter((place) => usual.test(pointer.segments(place).at(-1) ?? ""));
  return named.length > 0 ? named : best;
}

/** Texts that are the same for equal lists, in any order, and for equal words. */
interface ListKeys {
  whole: string;
  each: ReadonlySet<string>;
}

const listKeys = new WeakMap<readonly Json[], ListKeys>();

function keysOf(list: readonly Json[]): ListKeys {
  const known = listKeys.get(list);
  if (known !== undefined) return known;
  const each = new Set(list.map(wordKey));
  const keys = { whole: `${list.length} ${[...each].sort().join()}`, each };
  listKeys.set(list, keys);
  return keys;
}

function wordKey(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(wordKey).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${wordKey(value[name] as Json)}`).join()}}`;
}

/** A schema, and the schemas that apply to the same value: by `$ref` and `allOf`. */
function layersOf(schema: Json, locations: Locations): readonly JsonObject[] {
  if (!isObject(schema)) return [];
  const known = knownLayers.get(locations) ?? new WeakMap<JsonObject, JsonObject[]>();
  knownLayers.set(locations, known);
  const layers = known.get(schema) ?? findLayers(schema, locations, new Set());
  known.set(schema, layers);
  return layers;
}

/** A schema is looked up at many places of many documents. */
const knownLayers = new WeakMap<Locations, WeakMap<JsonObject, JsonObject[]>>();

function findLayers(schema: Json, locations: Locations, seen: Set<Json>): JsonObject[] {
  if (!isObject(schema) || seen.has(schema)) return [];
  seen.add(schema);
  const all = Array.isArray(schema.allOf) ? schema.allOf : [];
  const target = referredIn(schema, locations);
  const below = [...all, ...(target === undefined ? [] : [target])];
  return [schema, ...below.flatMap((each) => findLayers(each, locations, seen))];
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

function isIn(value: Json, list: readonly Json[]): boolean {
  return list.some((each) => equal(each, value));
}
