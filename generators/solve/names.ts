import { type Formula, facet, type MemberTest, type Shape, trueFormula } from "../formulas/formula.ts";
import { kinds } from "../formulas/kinds.ts";
import { combine } from "../regex/automaton.ts";
import { manyWords } from "../regex/words.ts";
import type { Search } from "./search.ts";
import { appliesTo } from "./shape.ts";

const freshNames = ["extra", "other", "more", "x-extra", "X", "_", "a", "b", "c", "d", "e", "f", "g"];
const maxKinds = 256;

/** Finds names that fulfil a formula and all constraints on names. */
export function* namesSolving(search: Search, shape: Shape, formula: Formula): Generator<string> {
  const { names, forbidden } = shape.object;
  for (const name of search.values([formula, { op: "kinds", kinds: kinds.string }, ...names], undefined, 1))
    if (!forbidden.has(name as string)) yield name as string;
}

/**
 * Finds names that the shape does not mention, grouped by the patterns that they match. Names of a group have the same constraints, so it is enough to try a
 * few of each.
 */
export function* namesOfEachKind(
  search: Search,
  shape: Shape,
  test: MemberTest | undefined,
  demand: Formula = trueFormula,
): Generator<Generator<string>> {
  const mentioned = mentionedNames(shape);
  for (const { matched, others } of kindsOfName(search, shape)) {
    const isMatched = (pattern: RegExp) => matched.some(({ source }) => source === pattern.source);
    if (test?.of === "pattern" && !isMatched(test.regexp)) continue;
    if (test?.of === "rest" && test.patterns.some(isMatched)) continue;
    const matching = facet(kinds.string, ({ string }) => {
      string.patterns.push(...matched);
      string.notPatterns.push(...others);
    });
    yield namesSolving(search, shape, { op: "and", of: [demand, { op: "out", values: mentioned }, matching] });
  }
}

interface NameKind {
  matched: RegExp[];
  others: RegExp[];
}

/** Lists the combinations of matched and unmatched patterns for which a name exists. */
function kindsOfName(search: Search, shape: Shape): NameKind[] {
  const patterns = [
    ...new Map(
      testsOf(shape)
        .flatMap(patternsIn)
        .map((pattern) => [pattern.source, pattern]),
    ).values(),
  ];
  let nameKinds: NameKind[] = [{ matched: [], others: [] }];
  // The last pattern is decided first, so that names without a matching pattern come first, then names that match only the first pattern, and so on.
  for (const pattern of patterns.reverse()) {
    nameKinds = nameKinds
      .flatMap(({ matched, others }) => [
        { matched, others: [pattern, ...others] },
        { matched: [pattern, ...matched], others },
      ])
      .filter(({ matched, others }) => combine(sources(matched), sources(others))?.isEmpty !== true);
    if (nameKinds.length > maxKinds) {
      search.giveUp("names for so many patterns");
      nameKinds = nameKinds.slice(0, maxKinds);
    }
  }
  return nameKinds;
}

function sources(patterns: readonly RegExp[]): string[] {
  return patterns.map(({ source }) => source).sort();
}

function testsOf({ object }: Shape): MemberTest[] {
  return [...object.each, ...object.some].map(({ test }) => test);
}

export function mentionedNames(shape: Shape): string[] {
  const mentioned = new Set(shape.object.required);
  for (const constraints of [shape.object.each, shape.object.some])
    for (const { test } of constraints) {
      if (test.of === "name") mentioned.add(test.name);
      else if (test.of === "rest") for (const name of test.names) mentioned.add(name);
    }
  return [...mentioned];
}

export function isMentioned({ object }: Shape, name: string): boolean {
  const mentionsName = ({ test }: { test: MemberTest }): boolean =>
    test.of === "name" ? test.name === name : test.of === "rest" && test.names.has(name);
  return object.required.has(name) || object.each.some(mentionsName) || object.some.some(mentionsName);
}

function patternsIn(test: MemberTest): readonly RegExp[] {
  if (test.of === "pattern") return [test.regexp];
  return test.of === "rest" ? test.patterns : [];
}

/** Finds names that a test applies to: names of existing members, declared names, words that match its pattern, new names. */
export function* namesFor(
  search: Search,
  shape: Shape,
  test: MemberTest,
  sample: readonly string[],
): Generator<string> {
  if (test.of === "name") {
    if (!shape.object.forbidden.has(test.name) && nameHolds(search, shape, test.name)) yield test.name;
    return;
  }
  const offered = new Set<string>();
  for (const names of namesToTry(search, shape, test, sample))
    for (const name of names) {
      if (offered.has(name) || shape.object.forbidden.has(name) || !appliesTo(test, name)) continue;
      offered.add(name);
      if (nameHolds(search, shape, name)) yield name;
    }
}

/** Yields the sources of names for a test, the most promising ones first. */
function* namesToTry(
  search: Search,
  shape: Shape,
  test: MemberTest,
  sample: readonly string[],
): Generator<Iterable<string>> {
  yield shape.object.required;
  yield sample;
  if (test.of === "pattern") yield patternWords(test.regexp.source);
  else {
    yield freshNames;
    for (const each of shape.object.each) if (each.test.of === "pattern") yield patternWords(each.test.regexp.source);
  }
  yield mentionedNames(shape);
  // Each requirement may need its own name.
  for (const kind of namesOfEachKind(search, shape, test))
    yield take(kind, shape.object.some.length + shape.object.someName.length);
}

export function* take<T>(items: Iterable<T>, count: number): Generator<T> {
  let yieldedCount = 0;
  for (const each of items) {
    yield each;
    yieldedCount += 1;
    if (yieldedCount >= count) return;
  }
}

function* patternWords(pattern: string): Generator<string> {
  const automaton = combine([pattern], []);
  if (automaton !== undefined) yield* take(manyWords(automaton, 1, 300), 60);
}

export function nameHolds(search: Search, shape: Shape, name: string): boolean {
  for (const formula of shape.object.names)
    if (!search.holds(formula, name) && !(formula.op === "or" && canBeMade(search, formula, name))) return false;
  return true;
}

function canBeMade(search: Search, formula: Formula, name: string): boolean {
  return search.first([formula, { op: "in", values: [name] }], undefined, 1) !== undefined;
}

/** Names for further members of an object. */
export function* manyNames(search: Search, shape: Shape, sample: readonly string[], count: number): Generator<string> {
  for (const { test } of shape.object.each) if (test.of === "pattern") yield* patternWords(test.regexp.source);
  for (const formula of shape.object.names) yield* take(namesSolving(search, shape, formula), 12);
  yield* sample;
  yield* freshNames;
  for (let index = 1; index <= count + 200; index += 1) yield `member${index}`;
}
