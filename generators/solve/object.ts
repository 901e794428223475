import { isObject, type Json, type JsonObject, setMember } from "../../schemas/index.ts";
import { type Formula, isSame, type Shape } from "../formulas/formula.ts";
import { fillPlaces } from "./fill.ts";
import { chooseMembers, type ExtraDemands, type MakeMember } from "./member-choices.ts";
import { manyNames, mentionedNames, nameHolds, namesOfEachKind } from "./names.ts";
import type { LearntFacts, Search } from "./search.ts";
import { appliesTo } from "./shape.ts";

/** The maximum value of `minProperties` for which members are made. */
const maxMembers = 20_000;

/** Makes objects of a shape, with as few members as possible or with all possible ones. */
export function* makeObjects(
  search: Search,
  shape: Shape,
  { hint, depth, learnt }: { hint: Json | undefined; depth: number; learnt: LearntFacts },
): Generator<JsonObject> {
  const sample = isObject(hint) ? hint : undefined;
  const make = createCachedMaker(search, shape, { sample, depth, learnt });
  let isAnyBuilt = false;
  for (const extra of chooseMembers(search, shape, Object.keys(sample ?? {}), make)) {
    const members = buildMembers(search, shape, { extra, sample, depth, make, min: shape.object.min });
    if (members === undefined) continue;
    isAnyBuilt = true;
    yield assembleObject(shape, members);
    yield* makeVariants(search, shape, { extra, sample, depth, make, built: members });
  }
  if (isAnyBuilt) search.giveUp("a further object");
}

/** Makes more objects from a built one: with some more members, and with other values. */
function* makeVariants(
  search: Search,
  shape: Shape,
  {
    extra,
    sample,
    depth,
    make,
    built,
  }: {
    extra: ExtraDemands;
    sample: JsonObject | undefined;
    depth: number;
    make: MakeMember;
    built: ReadonlyMap<string, Json>;
  },
): Generator<JsonObject> {
  let base = built;
  for (let size = built.size + 1; size <= Math.min(shape.object.max, built.size + 3); size += 1) {
    const larger = buildMembers(search, shape, { extra, sample, depth, make, min: size });
    if (larger === undefined) break;
    yield assembleObject(shape, larger);
    if (base.size === 0) base = larger;
  }
  const names = [...base.keys()];
  const constraintsOn = memberConstraints(shape);
  const places = names.map((name) => [...(extra.get(name) ?? []), ...constraintsOn(name)]);
  const values = (formulas: readonly Formula[], index: number) =>
    search.values(formulas, hintFor(sample, names[index] as string), depth - 1);
  for (const list of fillPlaces(search, places, values))
    yield assembleObject(shape, new Map(names.map((name, index) => [name, list[index] as Json])));
}

/** Returns a function that makes each member once, because other choices need the same members. */
function createCachedMaker(
  search: Search,
  shape: Shape,
  { sample, depth, learnt }: { sample: JsonObject | undefined; depth: number; learnt: LearntFacts },
): MakeMember {
  const { impossibleMembers, makeMember } = learnt;
  const madeValues = new Map<string, { demands: readonly Formula[]; value: Json | undefined }[]>();
  const failedFormulas: (readonly Formula[])[] = [];
  const constraintsOn = memberConstraints(shape);
  const makeUncached = (name: string, formulas: readonly Formula[]): Json | undefined => {
    const hint = hintFor(sample, name);
    if (makeMember === undefined) return search.first(formulas, hint, depth - 1);
    const outcome = makeMember(name, formulas, hint, depth - 1);
    return "found" in outcome ? outcome.found : undefined;
  };
  return (name, demands) => {
    const previousValues = madeValues.get(name) ?? [];
    const equalDemands = previousValues.find((each) => isSame(each.demands, demands));
    if (equalDemands !== undefined) return equalDemands.value;
    search.spend();
    search.model.effort?.spend(shape.object.each.length / 20);
    const formulas = [...demands, ...constraintsOn(name)];
    // A set of demands that failed for one member fails for every other.
    const hasFailed = failedFormulas.some((each) => isSame(each, formulas));
    const value = hasFailed ? undefined : makeUncached(name, formulas);
    if (value === undefined) failedFormulas.push(formulas);
    if (value === undefined && demands.length === 0) impossibleMembers.push({ name, formulas: new Set(formulas) });
    madeValues.set(name, [...previousValues, { demands, value }]);
    return value;
  };
}

function hintFor(sample: JsonObject | undefined, name: string): Json | undefined {
  return sample !== undefined && Object.hasOwn(sample, name) ? sample[name] : undefined;
}

/** Returns the constraints of a finished shape on a member. Usually each applies to one name, so they are grouped by name once. */
function memberConstraints({ object: { each } }: Shape): (name: string) => readonly Formula[] {
  let byName: Map<string, Formula[]> | undefined;
  if (each.some(({ test }) => test.of !== "name"))
    return (name) => each.filter(({ test }) => appliesTo(test, name)).map(({ formula }) => formula);
  return (name) => {
    if (byName === undefined) {
      byName = new Map();
      for (const { test, formula } of each) {
        if (test.of !== "name") continue;
        const formulas = byName.get(test.name);
        if (formulas === undefined) byName.set(test.name, [formula]);
        else formulas.push(formula);
      }
    }
    return byName.get(name) ?? [];
  };
}

function declaredNames(shape: Shape): Set<string> {
  const names = new Set<string>();
  for (const { test } of shape.object.each) if (test.of === "name") names.add(test.name);
  return names;
}

const noFormulas: readonly Formula[] = [];

function buildMembers(
  search: Search,
  shape: Shape,
  {
    extra,
    sample,
    depth,
    make,
    min,
  }: { extra: ExtraDemands; sample: JsonObject | undefined; depth: number; make: MakeMember; min: number },
): ReadonlyMap<string, Json> | undefined {
  const { required, forbidden, max } = shape.object;
  const members = new Map<string, Json>();
  for (const name of extra.size === 0 ? required : new Set([...required, ...extra.keys()])) {
    if (forbidden.has(name) || !nameHolds(search, shape, name)) return undefined;
    const value = make(name, extra.get(name) ?? noFormulas);
    if (value === undefined) return undefined;
    members.set(name, value);
  }
  if (members.size > max) return undefined;
  if (members.size >= min && min <= maxMembers && !search.full) return members;
  const add = (name: string): boolean => {
    const value = make(name, extra.get(name) ?? noFormulas);
    if (value !== undefined) members.set(name, value);
    return value !== undefined;
  };
  const addOptional = (names: Iterable<string>, enough: () => boolean) => {
    for (const name of names) {
      if (enough()) return;
      if (!members.has(name) && !forbidden.has(name) && nameHolds(search, shape, name)) add(name);
    }
  };
  if (search.full)
    addOptional([...declaredNames(shape), ...Object.keys(sample ?? {})], () => members.size >= max || depth < 1);
  addOptional(declaredNames(shape), () => members.size >= min);
  if (min > maxMembers) {
    search.giveUp(`an object of at least ${min} members`);
    return undefined;
  }
  if (members.size < min)
    addOptional(manyNames(search, shape, Object.keys(sample ?? {}), min), () => members.size >= min);
  if (members.size < min) {
    addOptional(mentionedNames(shape), () => members.size >= min);
    // If one name of a kind cannot be a member, no other name of this kind can.
    for (const kind of namesOfEachKind(search, shape, undefined))
      for (const name of kind) if (members.size >= min || !(members.has(name) || add(name))) break;
  }
  return members.size < min ? undefined : members;
}

/** Assembles the members in the order of their declaration. */
function assembleObject(shape: Shape, values: ReadonlyMap<string, Json>): JsonObject {
  const object: JsonObject = {};
  for (const name of new Set([...declaredNames(shape), ...values.keys()])) {
    const value = values.get(name);
    if (value !== undefined) setMember(object, name, value);
  }
  return object;
}
