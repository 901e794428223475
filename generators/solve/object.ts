import { isObject, type Json, type JsonObject, setMember } from "../../schemas/index.ts";
import { combine, words } from "../regex/automaton.ts";
import { fill } from "./fill.ts";
import { type Formula, facet, isSame, kinds, type MemberTest, type Shape } from "./formula.ts";
import type { Dead, Search } from "./search.ts";
import { applies } from "./shape.ts";

const freshNames = ["extra", "other", "more", "x-extra", "X", "_", "a", "b", "c", "d", "e", "f", "g"];

/** Members that are tried for one demand, and made beyond those that the schema names. */
const mostTries = 60;
const mostMembers = 20_000;

/** Objects of a shape with as few members as it takes, or with all that can be made. */
export function* objects(
  search: Search,
  shape: Shape,
  hint: Json | undefined,
  depth: number,
  dead: Dead[],
): Generator<JsonObject> {
  const { some, someName } = shape.object;
  const sample = isObject(hint) ? hint : undefined;
  const make = maker(search, shape, sample, depth, dead);
  let found = false;
  for (const extra of assignments(search, shape, some, someName, sample, make)) {
    const built = build(search, shape, extra, sample, depth, make, shape.object.min);
    if (built === undefined) continue;
    found = true;
    yield assemble(shape, built);
    yield* variants(search, shape, extra, sample, depth, make, built);
  }
  if (found) search.giveUp("a further object");
}

/** Further objects like the one built: with some members more, and with other values. */
function* variants(
  search: Search,
  shape: Shape,
  extra: Extra,
  sample: JsonObject | undefined,
  depth: number,
  make: Make,
  built: ReadonlyMap<string, Json>,
): Generator<JsonObject> {
  let base = built;
  for (let size = built.size + 1; size <= Math.min(shape.object.max, built.size + 3); size += 1) {
    const larger = build(search, shape, extra, sample, depth, make, size);
    if (larger === undefined) break;
    yield assemble(shape, larger);
    if (base.size === 0) base = larger;
  }
  const names = [...base.keys()];
  const places = names.map((name) => formulasFor(shape, name, extra.get(name) ?? []));
  const values = (formulas: readonly Formula[], index: number) =>
    search.values(formulas, hintFor(sample, names[index] as string), depth - 1);
  for (const list of fill(search, places, values, false))
    yield assemble(shape, new Map(names.map((name, index) => [name, list[index] as Json])));
}

/** The value of a member that fulfils these demands and what the shape says of its name. */
type Make = (name: string, demands: readonly Formula[]) => Json | undefined;

/** Makes each member once: other choices ask for the same ones again. */
function maker(search: Search, shape: Shape, sample: JsonObject | undefined, depth: number, dead: Dead[]): Make {
  const known = new Map<string, { demands: readonly Formula[]; value: Json | undefined }[]>();
  const failed: (readonly Formula[])[] = [];
  return (name, demands) => {
    const before = known.get(name) ?? [];
    const same = before.find((each) => isSame(each.demands, demands));
    if (same !== undefined) return same.value;
    search.spend();
    const formulas = formulasFor(shape, name, demands);
    // What no member could be before, no other is.
    const isFailed = failed.some((each) => isSame(each, formulas));
    const value = isFailed ? undefined : search.first(formulas, hintFor(sample, name), depth - 1);
    if (value === undefined) failed.push(formulas);
    if (value === undefined && demands.length === 0) dead.push({ name, formulas: new Set(formulas) });
    known.set(name, [...before, { demands, value }]);
    return value;
  };
}

function hintFor(sample: JsonObject | undefined, name: string): Json | undefined {
  return sample !== undefined && Object.hasOwn(sample, name) ? sample[name] : undefined;
}

function formulasFor(shape: Shape, name: string, demands: readonly Formula[]): Formula[] {
  return [...demands, ...shape.object.each.filter(({ test }) => applies(test, name)).map(({ formula }) => formula)];
}

/** What a chosen member must fulfil beyond what the shape says of its name. */
type Extra = Map<string, Formula[]>;

/** Ways to choose a member for each demand that some member exists. */
function* assignments(
  search: Search,
  shape: Shape,
  some: Shape["object"]["some"],
  someName: readonly Formula[],
  sample: JsonObject | undefined,
  make: Make,
): Generator<Extra> {
  const [demand, ...rest] = some;
  const [nameDemand, ...restNames] = someName;
  if (demand === undefined && nameDemand === undefined) {
    yield new Map();
    return;
  }
  const candidates =
    demand !== undefined
      ? namesFor(search, shape, demand.test, sample)
      : namesSolving(search, shape, nameDemand as Formula);
  const formula = demand?.formula;
  let tried = 0;
  for (const name of candidates) {
    tried += 1;
    if (tried > mostTries) {
      search.giveUp("a member");
      break;
    }
    if (formula !== undefined && make(name, [formula]) === undefined) continue;
    for (const others of assignments(
      search,
      shape,
      demand === undefined ? [] : rest,
      demand === undefined ? restNames : someName,
      sample,
      make,
    )) {
      const extra = new Map(others);
      extra.set(name, [...(extra.get(name) ?? []), ...(formula === undefined ? [] : [formula])]);
      yield extra;
    }
  }
}

/** Names that fulfil a formula and whatever is said of all names. */
function* namesSolving(search: Search, shape: Shape, formula: Formula): Generator<string> {
  const { names, forbidden } = shape.object;
  for (const name of search.values([formula, { op: "kinds", kinds: kinds.string }, ...names], undefined, 1))
    if (!forbidden.has(name as string)) yield name as string;
}

/**
 * Names that nothing mentions, by the patterns that they match: what holds for one name of a kind holds for all, so that a few of each
 * tell whether there are any.
 */
function* namesOfEachKind(search: Search, shape: Shape, test: MemberTest | undefined): Generator<Generator<string>> {
  const mentioned = mentionedNames(shape);
  const patterns = [
    ...new Map(
      testsOf(shape)
        .flatMap(patternsIn)
        .map((pattern) => [pattern.source, pattern]),
    ).values(),
  ];
  if (patterns.length > 6) search.giveUp("names for so many patterns");
  const few = patterns.slice(0, 6);
  for (let bits = 0; bits < 2 ** few.length; bits += 1) {
    const matched = few.filter((_, index) => (bits >> index) & 1);
    const has = (pattern: RegExp) => matched.some(({ source }) => source === pattern.source);
    if (test?.of === "pattern" && !has(test.regexp)) continue;
    if (test?.of === "rest" && test.patterns.some(has)) continue;
    const matching = facet(kinds.string, ({ string }) => {
      string.patterns.push(...matched);
      string.notPatterns.push(...few.filter((pattern) => !has(pattern)));
    });
    yield namesSolving(search, shape, { op: "and", of: [{ op: "out", values: mentioned }, matching] });
  }
}

function testsOf({ object }: Shape): MemberTest[] {
  return [...object.each, ...object.some].map(({ test }) => test);
}

function mentionedNames(shape: Shape): string[] {
  const inTest = (test: MemberTest) => (test.of === "name" ? [test.name] : test.of === "rest" ? [...test.names] : []);
  return [...new Set([...shape.object.required, ...testsOf(shape).flatMap(inTest)])];
}

function patternsIn(test: MemberTest): readonly RegExp[] {
  if (test.of === "pattern") return [test.regexp];
  return test.of === "rest" ? test.patterns : [];
}

/** Names to which a test applies: members that are there anyway, declared ones, words of its pattern, fresh ones. */
function* namesFor(search: Search, shape: Shape, test: MemberTest, sample: JsonObject | undefined): Generator<string> {
  const given = new Set<string>();
  const offer = function* (names: Iterable<string>) {
    for (const name of names) {
      if (given.has(name) || shape.object.forbidden.has(name) || !applies(test, name)) continue;
      given.add(name);
      if (nameHolds(search, shape, name)) yield name;
    }
  };
  if (test.of === "name") {
    yield* offer([test.name]);
    return;
  }
  yield* offer(shape.object.required);
  yield* offer(Object.keys(sample ?? {}));
  if (test.of === "pattern") yield* offer(wordsOf(test.regexp.source));
  else {
    yield* offer(freshNames);
    for (const each of shape.object.each)
      if (each.test.of === "pattern") yield* offer(wordsOf(each.test.regexp.source));
  }
  yield* offer(mentionedNames(shape));
  // Each demand may need a name of its own.
  for (const kind of namesOfEachKind(search, shape, test))
    yield* offer(first(kind, shape.object.some.length + shape.object.someName.length));
}

function* first<T>(all: Iterable<T>, count: number): Generator<T> {
  let given = 0;
  for (const each of all) {
    yield each;
    given += 1;
    if (given >= count) return;
  }
}

function* wordsOf(include: string): Generator<string> {
  const automaton = combine([include], []);
  if (automaton !== undefined) yield* first(words(automaton, 1, 300), 60);
}

function nameHolds(search: Search, shape: Shape, name: string): boolean {
  const isMade = (formula: Formula) =>
    search.first([formula, { op: "in", values: [name] }], undefined, 1) !== undefined;
  return shape.object.names.every((formula) => search.holds(formula, name) || (formula.op === "or" && isMade(formula)));
}

function declaredNames(shape: Shape): string[] {
  return [...new Set(shape.object.each.flatMap(({ test }) => (test.of === "name" ? [test.name] : [])))];
}

function build(
  search: Search,
  shape: Shape,
  extra: Extra,
  sample: JsonObject | undefined,
  depth: number,
  make: Make,
  min: number,
): ReadonlyMap<string, Json> | undefined {
  const { required, forbidden, max } = shape.object;
  const made = new Map<string, Json>();
  const add = (name: string): boolean => {
    const value = make(name, extra.get(name) ?? []);
    if (value !== undefined) made.set(name, value);
    return value !== undefined;
  };
  for (const name of new Set([...required, ...extra.keys()]))
    if (forbidden.has(name) || !nameHolds(search, shape, name) || !add(name)) return undefined;
  if (made.size > max) return undefined;
  const optional = (names: Iterable<string>, enough: () => boolean) => {
    for (const name of names) {
      if (enough()) return;
      if (!made.has(name) && !forbidden.has(name) && nameHolds(search, shape, name)) add(name);
    }
  };
  if (search.full)
    optional([...declaredNames(shape), ...Object.keys(sample ?? {})], () => made.size >= max || depth < 1);
  optional(declaredNames(shape), () => made.size >= min);
  if (min > mostMembers) {
    search.giveUp(`an object of at least ${min} members`);
    return undefined;
  }
  if (made.size < min) optional(manyNames(search, shape, sample, min), () => made.size >= min);
  if (made.size < min) {
    optional(mentionedNames(shape), () => made.size >= min);
    // Where one name of a kind cannot be a member, no other of this kind can.
    for (const kind of namesOfEachKind(search, shape, undefined))
      for (const name of kind) if (made.size >= min || !(made.has(name) || add(name))) break;
  }
  return made.size < min ? undefined : made;
}

function* manyNames(search: Search, shape: Shape, sample: JsonObject | undefined, count: number): Generator<string> {
  for (const { test } of shape.object.each) if (test.of === "pattern") yield* wordsOf(test.regexp.source);
  for (const formula of shape.object.names) yield* first(namesSolving(search, shape, formula), 12);
  yield* Object.keys(sample ?? {});
  yield* freshNames;
  for (let index = 1; index <= count + 200; index += 1) yield `member${index}`;
}

/** Members stand in the order in which the schema declares them. */
function assemble(shape: Shape, made: ReadonlyMap<string, Json>): JsonObject {
  const object: JsonObject = {};
  for (const name of new Set([...declaredNames(shape), ...made.keys()])) {
    const value = made.get(name);
    if (value !== undefined) setMember(object, name, value);
  }
  return object;
}
