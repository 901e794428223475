import type { JsonObject } from "../../schemas/index.ts";
import type { Formula, MemberTest, Shape } from "../formulas/formula.ts";
import { kinds } from "../formulas/kinds.ts";
import { combine } from "../regex/automaton.ts";
import { applies } from "../solve/shape.ts";
import { anyName } from "./any.ts";
import type { Maker, Makers } from "./maker.ts";
import { put } from "./member.ts";
import { below, once, pick, type Random, randomFrom } from "./random.ts";
import { wordsOf } from "./word.ts";

/** Members of an object that no schema declares by name. */
export interface Others {
  /** Draws the value of such a member; undefined when there can be none. */
  unforeseen(): Maker | undefined;
  /** How many to try. */
  count(random: Random): number;
  /** Adds one; false when none was found. */
  add(object: JsonObject, random: Random, room: number): boolean;
  /** A member for every demand that some member exists; undefined when none was found. */
  demanded(random: Random): ReadonlyMap<string, Maker> | undefined;
}

const attempts = 40;
const longestName = 60;
const namesOfPattern = 100;

/** A name that no pattern is likely to foresee. */
const noName = "\u0000";

export function othersOf({ object }: Shape, makers: Makers, declared: ReadonlySet<string>): Others {
  const { each, some, someName, names, forbidden } = object;
  const tests = each.flatMap(({ test }) => (test.of === "name" ? [] : [test]));
  const sources = new Set(
    [...each, ...some].flatMap(({ test }) => (test.of === "pattern" ? [test.regexp.source] : [])),
  );
  const patternNames = [...sources].flatMap(namesOf);
  const ruleOthers = (more: readonly Formula[]) => makers.of([...names, ...more, { op: "kinds", kinds: kinds.string }]);
  const general = (name: string) => each.filter(({ test }) => applies(test, name)).map(({ formula }) => formula);
  const isMap = declared.size === 0 || tests.some(({ of }) => of === "rest");

  // Names to which the same tests apply share a maker.
  const known = new Map<number, Maker>();
  const makerOf = (name: string): Maker => {
    let mask = 0;
    for (const test of tests) mask = 2 * mask + (applies(test, name) ? 1 : 0);
    const maker = known.get(mask) ?? makers.of(general(name));
    known.set(mask, maker);
    return maker;
  };

  let closed: boolean | undefined;
  const isClosed = (): boolean => {
    closed ??= !makers.isAlive(makerOf(noName));
    return closed;
  };

  const nameFrom = (random: Random): string | undefined => {
    if (names.length > 0) return ruleOthers([]).draw(random, 0) as string | undefined;
    if (patternNames.length > 0 && (isClosed() || once(random, 2))) return pick(random, patternNames);
    return isClosed() ? undefined : anyName(random);
  };

  const newName = (random: Random): string | undefined => {
    const name = nameFrom(random);
    if (name === undefined || declared.has(name) || forbidden.has(name)) return undefined;
    return names.length === 0 || makers.holds(names, name) ? name : undefined;
  };

  const nameFor = (random: Random, test: MemberTest): string | undefined => {
    const fitting = [...declared].filter((name) => applies(test, name));
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const name = fitting.length > 0 && once(random, 3) ? pick(random, fitting) : newName(random);
      if (name !== undefined && applies(test, name)) return name;
    }
    return fitting.length > 0 ? pick(random, fitting) : undefined;
  };

  return {
    unforeseen() {
      const name = isClosed() ? patternNames[0] : noName;
      return name === undefined ? undefined : makerOf(name);
    },
    count(random) {
      if (isMap) return below(random, 4);
      if (patternNames.length > 0) return below(random, 3);
      return once(random, 8) ? 1 + below(random, 2) : 0;
    },
    add(object, random, room) {
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const name = newName(random);
        if (name === undefined || Object.hasOwn(object, name)) continue;
        if (put(object, name, { maker: makerOf(name), random, room })) return true;
      }
      return false;
    },
    demanded(random) {
      const wanted = new Map<string, Formula[]>();
      for (const { test, formula } of some) {
        const name = test.of === "name" ? test.name : nameFor(random, test);
        if (name === undefined) return undefined;
        wanted.set(name, [...(wanted.get(name) ?? []), formula]);
      }
      for (const formula of someName) {
        const name = ruleOthers([formula]).draw(random, 0) as string | undefined;
        if (name === undefined) return undefined;
        wanted.set(name, wanted.get(name) ?? []);
      }
      return new Map([...wanted].map(([name, formulas]) => [name, makers.of([...general(name), ...formulas])]));
    },
  };
}

/** Names that a pattern matches: a fixed number, since ever new ones would cost an engine more than the rest of an object. */
function namesOf(source: string): string[] {
  const automaton = combine([source], []);
  const words = automaton === undefined ? undefined : wordsOf(automaton, 0, longestName);
  if (words === undefined) return [];
  const random = randomFrom(1);
  return Array.from({ length: namesOfPattern }, () => words(random));
}
