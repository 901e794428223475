import { isObject, type Json, type JsonObject, setMember } from "../../schemas/index.ts";
import { combine, words } from "../regex/automaton.ts";
import type { Formula, MemberTest, Shape } from "./formula.ts";
import type { Dead, Search } from "./search.ts";
import { applies, fits } from "./shape.ts";

const freshNames = ["extra", "other", "more", "x-extra", "X", "_", "a", "b", "c", "d", "e", "f", "g"];

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
  for (const extra of assignments(search, shape, some, someName, sample)) {
    const built = build(search, shape, extra, sample, depth, dead);
    if (built === undefined) continue;
    if (fits(shape, built, () => true)) yield built;
  }
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
    if (tried > 12) break;
    for (const others of assignments(
      search,
      shape,
      demand === undefined ? [] : rest,
      demand === undefined ? restNames : someName,
      sample,
    )) {
      const extra = new Map(others);
      extra.set(name, [...(extra.get(name) ?? []), ...(formula === undefined ? [] : [formula])]);
      yield extra;
    }
  }
}

function* namesSolving(search: Search, shape: Shape, formula: Formula): Generator<string> {
  let given = 0;
  for (const name of search.values([formula, { op: "kinds", kinds: 16 }], undefined, 1)) {
    if (!shape.object.forbidden.has(name as string)) yield name as string;
    given += 1;
    if (given > 12) return;
  }
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
    for (const formula of shape.object.names) yield* offer(namesSolving(search, shape, formula));
    yield* offer(
      wordsOf(
        "",
        [...test.patterns].map((pattern) => pattern.source),
      ),
    );
  }
  yield* offer(declaredNames(shape));
}

function* wordsOf(include: string, exclude: string[] = []): Generator<string> {
  const automaton = combine([include], exclude);
  if (automaton === undefined) return;
  let given = 0;
  for (const word of words(automaton, 1, 300)) {
    yield word;
    given += 1;
    if (given >= 60) return;
  }
}

function nameHolds(search: Search, shape: Shape, name: string): boolean {
  return shape.object.names.every((formula) => search.holds(formula, name) || formula.op === "or");
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
  dead: Dead[],
): JsonObject | undefined {
  const { required, forbidden, each, min, max } = shape.object;
  const made = new Map<string, Json>();
  const make = (name: string): boolean => {
    search.spend();
    const general = each.filter(({ test }) => applies(test, name)).map(({ formula }) => formula);
    const wanted = [...(extra.get(name) ?? []), ...general];
    const hint = sample !== undefined && Object.hasOwn(sample, name) ? sample[name] : undefined;
    const value = search.first(wanted, hint, depth - 1);
    if (value === undefined) {
      if (!extra.has(name)) dead.push({ name, formulas: new Set(general) });
      return false;
    }
    made.set(name, value);
    return true;
  };
  for (const name of new Set([...required, ...extra.keys()])) {
    if (forbidden.has(name) || !(extra.has(name) || nameHolds(search, shape, name)) || !make(name)) return undefined;
  }
  if (made.size > max) return undefined;
  const optional = (names: Iterable<string>, enough: () => boolean) => {
    for (const name of names) {
      if (enough()) return;
      if (!made.has(name) && !forbidden.has(name) && nameHolds(search, shape, name)) make(name);
    }
  };
  if (search.full)
    optional([...declaredNames(shape), ...Object.keys(sample ?? {})], () => made.size >= max || depth < 1);
  optional(declaredNames(shape), () => made.size >= min);
  if (made.size < min) optional(manyNames(search, shape, sample, min), () => made.size >= min);
  if (made.size < min) return undefined;
  return assemble(shape, made);
}

function* manyNames(search: Search, shape: Shape, sample: JsonObject | undefined, count: number): Generator<string> {
  for (const { test } of shape.object.each) if (test.of === "pattern") yield* wordsOf(test.regexp.source);
  for (const formula of shape.object.names) yield* namesSolving(search, shape, formula);
  yield* Object.keys(sample ?? {});
  yield* freshNames;
  const total = Math.min(count + 200, 20_000);
  for (let index = 1; index <= total; index += 1) yield `member${index}`;
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
