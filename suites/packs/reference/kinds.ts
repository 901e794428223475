import { type Document, equal, isObject, type Json, type JsonObject, pointer } from "../../../schemas/index.ts";
import { followReference, type Locations } from "./locations.ts";

/** The members of a document with values from a fixed list (such as `const` or `enum`): the lists, by JSON Pointer. */
export type FixedValues = ReadonlyMap<string, readonly Json[]>;

const maxDepth = 4;
/** Limits the steps of a search, because a hostile schema can branch at each one. */
const maxSteps = 5000;
/** Common names of the member that distinguishes messages. They are preferred to others. */
const commonNames = /^(@?type|\$type|__typename|kind|method|op|operation|operationName|action|command|event|verb)$/;

/** The fixed values of a document, from its schema and from `when` in its profile. */
export function fixedValuesOf({ schema, when = {} }: Document, locations: Locations): FixedValues {
  const root = locations.schemasByLocation.get(`${schema.replace(/#$/, "")}#`) ?? {};
  return new Map([...Object.entries(when), ...fixedValuesIn(root, locations)]);
}

/** The fixed values in a schema, through references, `allOf`, `oneOf` and `anyOf`. */
export function fixedValuesIn(schema: Json, locations: Locations): FixedValues {
  let steps = 0;
  return valuesWithin(schema, "", 0);

  function valuesWithin(part: Json, at: string, depth: number): Map<string, Json[]> {
    const valuesByPlace = new Map<string, Json[]>();
    steps += 1;
    if (depth > maxDepth || steps > maxSteps) return valuesByPlace;
    for (const layer of layersOf(part, locations)) {
      for (const [name, member] of Object.entries(isObject(layer.properties) ? layer.properties : {})) {
        const place = pointer.append(at, name);
        const values = listedValues(member, locations);
        narrowValues(
          valuesByPlace,
          values === undefined ? valuesWithin(member, place, depth + 1) : new Map([[place, values]]),
        );
      }
      for (const branches of [layer.oneOf, layer.anyOf])
        if (Array.isArray(branches) && branches.length > 0)
          narrowValues(valuesByPlace, joinAlternatives(branches.map((branch) => valuesWithin(branch, at, depth + 1))));
    }
    return valuesByPlace;
  }
}

/** Whether a message may be the document with these fixed values: no member has a value outside of its list. */
export function mayBeDocument(data: Json, fixedValues: FixedValues): boolean {
  return [...fixedValues].every(([at, values]) => {
    const value = pointer.at(at, data);
    return value === undefined || includesEqual(value, values);
  });
}

/** The place of the member that gives a message an unknown kind; undefined if the kind is known, or if the message has none. A value does not count if its type differs from the fixed values. A list is checked message by message. */
export function unknownKind(data: Json, documents: readonly FixedValues[]): string | undefined {
  if (Array.isArray(data)) {
    for (const [index, message] of data.entries()) {
      const at = Array.isArray(message) ? undefined : unknownKind(message, documents);
      if (at !== undefined) return `/${index}${at}`;
    }
    return undefined;
  }
  let candidates = documents;
  for (let places = distinguishingMembers(candidates); places.length > 0; places = distinguishingMembers(candidates)) {
    for (const place of places) {
      const value = pointer.at(place, data);
      const knownValues = candidates.flatMap((fixedValues) => fixedValues.get(place) ?? []);
      if (
        value !== undefined &&
        !includesEqual(value, knownValues) &&
        knownValues.some((knownValue) => typeof knownValue === typeof value)
      )
        return value === null || typeof value === "object" ? undefined : place;
    }
    const matching = candidates.filter((fixedValues) =>
      places.every((place) => {
        const value = pointer.at(place, data);
        return value !== undefined && includesEqual(value, fixedValues.get(place) ?? []);
      }),
    );
    if (matching.length === candidates.length) return undefined;
    candidates = matching;
  }
  return undefined;
}

/** For each document, the member values that distinguish it from the others; empty if nothing does. */
export function selectorsOf(documents: readonly FixedValues[]): Record<string, Json[]>[] {
  const selectors = documents.map((): Record<string, Json[]> => ({}));
  const groups: number[][] = [[...documents.keys()]];
  for (let group = groups.pop(); group !== undefined; group = groups.pop()) {
    const places = distinguishingMembers(group.map((index) => documents[index] as FixedValues));
    const groupsByValues = new Map<string, number[]>();
    for (const index of places.length === 0 ? [] : group) {
      const distinguishing = places.flatMap((place) => {
        const values = documents[index]?.get(place);
        return values === undefined ? [] : [[place, values] as const];
      });
      Object.assign(
        selectors[index] as object,
        Object.fromEntries(distinguishing.map(([place, list]) => [place, [...list]])),
      );
      // A document without one of these members is in a separate group.
      const key =
        distinguishing.length < places.length
          ? `${index}`
          : distinguishing.map(([, list]) => keysOf(list).listKey).join(" ");
      groupsByValues.set(key, [...(groupsByValues.get(key) ?? []), index]);
    }
    for (const subgroup of groupsByValues.values())
      if (subgroup.length > 1 && subgroup.length < group.length) groups.push(subgroup);
  }
  return selectors;
}

/** The lists of fixed values that a member has in several documents. */
interface MemberLists {
  count: number;
  /** The keys of the distinct lists. */
  listKeys: Set<string>;
  /** For the key of each value, the key of the list that contains it. */
  listByValue: Map<string, string>;
  /** Whether no value is in two different lists. */
  isDisjoint: boolean;
}

/**
 * Returns the members that distinguish documents: documents with different lists of values for the member have no value in common. If there
 * are several, returns the ones in the most documents, of these the outermost, and of these preferably the ones with a common name.
 */
function distinguishingMembers(documents: readonly FixedValues[]): string[] {
  const listsByPlace = new Map<string, MemberLists>();
  for (const fixedValues of documents)
    for (const [place, list] of fixedValues) {
      const memberLists = listsByPlace.get(place) ?? {
        count: 0,
        listKeys: new Set(),
        listByValue: new Map(),
        isDisjoint: true,
      };
      listsByPlace.set(place, memberLists);
      const { listKey, valueKeys } = keysOf(list);
      memberLists.count += 1;
      memberLists.listKeys.add(listKey);
      for (const key of memberLists.isDisjoint ? valueKeys : []) {
        memberLists.isDisjoint &&= (memberLists.listByValue.get(key) ?? listKey) === listKey;
        memberLists.listByValue.set(key, listKey);
      }
    }
  const disjoint = [...listsByPlace].filter(([, { isDisjoint, listKeys }]) => isDisjoint && listKeys.size > 1);
  const maxMatches = Math.max(...disjoint.map(([, { count }]) => count));
  const mostFrequent = disjoint.flatMap(([place, { count }]) =>
    count === maxMatches ? [{ place, depth: pointer.segments(place).length }] : [],
  );
  const outermost = Math.min(...mostFrequent.map(({ depth }) => depth));
  const outermostPlaces = mostFrequent.filter(({ depth }) => depth === outermost).map(({ place }) => place);
  const commonlyNamed = outermostPlaces.filter((place) => commonNames.test(pointer.segments(place).at(-1) ?? ""));
  return commonlyNamed.length > 0 ? commonlyNamed : outermostPlaces;
}

/** Strings for comparison: `listKey` is the same for equal lists in any order, and equal values have the same key. */
interface ListKeys {
  listKey: string;
  valueKeys: ReadonlySet<string>;
}

const keysByList = new WeakMap<readonly Json[], ListKeys>();

function keysOf(list: readonly Json[]): ListKeys {
  const cached = keysByList.get(list);
  if (cached !== undefined) return cached;
  const valueKeys = new Set(list.map(valueKey));
  const keys = { listKey: `${list.length} ${[...valueKeys].sort().join()}`, valueKeys };
  keysByList.set(list, keys);
  return keys;
}

function valueKey(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(valueKey).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${valueKey(value[name] as Json)}`).join()}}`;
}

/** A schema, and the schemas that apply to the same value: by `$ref` and `allOf`. */
function layersOf(schema: Json, locations: Locations): readonly JsonObject[] {
  if (!isObject(schema)) return [];
  const layersBySchema = cachedLayers.get(locations) ?? new WeakMap<JsonObject, JsonObject[]>();
  cachedLayers.set(locations, layersBySchema);
  const layers = layersBySchema.get(schema) ?? findLayers(schema, locations, new Set());
  layersBySchema.set(schema, layers);
  return layers;
}

/** Remembers the layers, because a schema is looked up from many places in many documents. */
const cachedLayers = new WeakMap<Locations, WeakMap<JsonObject, JsonObject[]>>();

function findLayers(schema: Json, locations: Locations, visited: Set<Json>): JsonObject[] {
  if (!isObject(schema) || visited.has(schema)) return [];
  visited.add(schema);
  const allOf = Array.isArray(schema.allOf) ? schema.allOf : [];
  const target = referenceTarget(schema, locations);
  const applied = [...allOf, ...(target === undefined ? [] : [target])];
  return [schema, ...applied.flatMap((subschema) => findLayers(subschema, locations, visited))];
}

function referenceTarget(schema: JsonObject, locations: Locations): JsonObject | undefined {
  try {
    return followReference(schema, locations);
  } catch {
    return undefined;
  }
}

/** The values that a schema lists; undefined if it also accepts others. */
function listedValues(schema: Json, locations: Locations, depth = 0): Json[] | undefined {
  if (depth > maxDepth) return undefined;
  for (const layer of layersOf(schema, locations)) {
    if (Object.hasOwn(layer, "const")) return [layer.const as Json];
    if (Array.isArray(layer.enum)) return layer.enum;
    for (const branches of [layer.oneOf, layer.anyOf]) {
      if (!Array.isArray(branches) || branches.length === 0) continue;
      const lists = branches.map((branch) => listedValues(branch, locations, depth + 1));
      if (lists.every((list) => list !== undefined)) return lists.flat();
    }
  }
  return undefined;
}

/** Narrows the values by a second condition that must be met as well. */
function narrowValues(valuesByPlace: Map<string, Json[]>, narrowing: ReadonlyMap<string, Json[]>): void {
  for (const [place, list] of narrowing) {
    const values = valuesByPlace.get(place);
    valuesByPlace.set(place, values === undefined ? list : values.filter((value) => includesEqual(value, list)));
  }
}

/** Combines alternatives; at least one must be met. */
function joinAlternatives(alternatives: readonly ReadonlyMap<string, Json[]>[]): Map<string, Json[]> {
  const [first = new Map<string, Json[]>()] = alternatives;
  const places = [...first.keys()].filter((place) => alternatives.every((alternative) => alternative.has(place)));
  return new Map(places.map((place) => [place, alternatives.flatMap((alternative) => alternative.get(place) ?? [])]));
}

function includesEqual(value: Json, list: readonly Json[]): boolean {
  return list.some((listed) => equal(listed, value));
}
