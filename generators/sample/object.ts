import { type Json, type JsonObject, setMember } from "../../schemas/index.ts";
import { combine } from "../regex/automaton.ts";
import { type Formula, kinds, type MemberTest, type Shape } from "../solve/formula.ts";
import type { Dead } from "../solve/search.ts";
import { applies } from "../solve/shape.ts";
import { anyName } from "./any.ts";
import { deadMember } from "./key.ts";
import type { Maker, Makers, Part } from "./maker.ts";
import { below, once, pick, type Random } from "./random.ts";
import { wordsOf } from "./word.ts";

interface Member {
  name: string;
  maker: Maker;
}

const attempts = 40;
const longestName = 60;

/** A name that no pattern is likely to foresee. */
const noName = "\u0000";

/** Draws objects of a shape; undefined when there can be none, with the reason in `dead` when it is one member. */
export function objectsFor(shape: Shape, makers: Makers, dead: Dead[]): Part | undefined {
  const { each, some, someName, names, forbidden, min, max } = shape.object;
  const demanded = some.flatMap(({ test }) => (test.of === "name" ? [test.name] : []));
  const must = new Set([...shape.object.required, ...demanded]);
  const declared = new Set([...each.flatMap(({ test }) => (test.of === "name" ? [test.name] : [])), ...must]);
  const general = (name: string) => each.filter(({ test }) => applies(test, name)).map(({ formula }) => formula);
  const isAllowed = (name: string) => !forbidden.has(name) && makers.holds(names, name);
  const members: Member[] = [];
  for (const name of declared) {
    const own = some.flatMap(({ test, formula }) => (test.of === "name" && test.name === name ? [formula] : []));
    const maker = makers.of([...general(name), ...own]);
    if (must.has(name)) {
      if (!isAllowed(name)) return undefined;
      if (!makers.isAlive(maker)) {
        if (own.length === 0) dead.push(deadMember(name, general(name)));
        return undefined;
      }
    } else if (!isAllowed(name)) continue;
    members.push({ name, maker });
  }
  if (must.size > max) return undefined;
  const others = othersOf(shape, makers, declared, general, isAllowed);
  const demands = some.filter(({ test }) => test.of !== "name");
  const plain = demands.length === 0 && someName.length === 0;
  const special = demands.map(({ formula }) => makers.of([formula]));
  if (!special.every((maker) => makers.isAlive(maker))) return undefined;
  const required = members.filter(({ name }) => must.has(name)).map(({ maker }) => maker);
  // What the object is filled up with when it must have more members than are required.
  const spares: { name: string | undefined; maker: Maker }[] = members.filter(({ name }) => !must.has(name));
  const unforeseen = others.unforeseen();
  for (let left = unforeseen === undefined ? 0 : min - must.size; left > 0 && unforeseen !== undefined; left -= 1)
    spares.push({ name: undefined, maker: unforeseen });
  const isMust = members.map(({ name }) => must.has(name));
  return {
    needs: [...required, ...special],
    ...(min > must.size ? { either: { count: min - must.size, of: spares.map(({ maker }) => maker) } } : {}),
    certain: plain,
    draw(random, room) {
      const extra = plain ? none : others.demanded(random);
      if (extra === undefined) return undefined;
      const object: JsonObject = {};
      let count = 0;
      let spare = max - must.size - extra.size;
      const share = room > 0 && spare > 0 ? (shares[random.next() & 7] as number) : 0;
      for (let index = 0; index < members.length; index += 1) {
        const { name, maker } = members[index] as Member;
        const special = plain ? undefined : extra.get(name);
        const needed = isMust[index] === true || special !== undefined;
        if (!needed && (share === 0 || spare <= 0 || (random.next() & 15) >= share)) continue;
        const value = (special ?? maker).draw(random, room - 1);
        if (value !== undefined) {
          set(object, name, value);
          count += 1;
          if (!needed) spare -= 1;
        } else if (needed) return undefined;
      }
      for (const [name, maker] of extra) {
        if (declared.has(name)) continue;
        const value = maker.draw(random, room - 1);
        if (value === undefined) return undefined;
        set(object, name, value);
        count += 1;
      }
      const more = room > 0 && spare > 0 ? Math.min(spare, others.count(random)) : 0;
      if (more > 0) count += others.add(random, room, object, more);
      if (count >= min) return object;
      const start = below(random, spares.length);
      const order = [...spares.slice(start), ...spares.slice(0, start)];
      if (room <= 0) order.sort((a, b) => makers.least(a.maker) - makers.least(b.maker));
      for (const { name, maker } of order) {
        if (count >= min) break;
        if (name === undefined) count += others.add(random, room, object, 1);
        else if (!Object.hasOwn(object, name)) {
          const value = maker.draw(random, room - 1);
          if (value === undefined) continue;
          set(object, name, value);
          count += 1;
        }
      }
      return count < min ? undefined : object;
    },
  };
}

const none: ReadonlyMap<string, Maker> = new Map();

/** How many sixteenths of the optional members an object gets: from none to all. */
const shares = [0, 2, 4, 6, 8, 8, 12, 16];

function set(object: JsonObject, name: string, value: Json): void {
  if (name === "__proto__") setMember(object, name, value);
  else object[name] = value;
}

/** Members that no schema declares by name. */
interface Others {
  /** Draws the value of such a member, unless there can be none. */
  unforeseen(): Maker | undefined;
  /** How many to try. */
  count(random: Random): number;
  /** Adds up to so many; returns how many there were. */
  add(random: Random, room: number, object: JsonObject, wanted: number): number;
  /** A member for every demand that some member exists; undefined when none was found. */
  demanded(random: Random): ReadonlyMap<string, Maker> | undefined;
}

function othersOf(
  shape: Shape,
  makers: Makers,
  declared: ReadonlySet<string>,
  general: (name: string) => Formula[],
  isAllowed: (name: string) => boolean,
): Others {
  const { each, some, someName, names } = shape.object;
  const tests = each.flatMap(({ test }) => (test.of === "name" ? [] : [test]));
  const patterns = new Set(
    [...each, ...some].flatMap(({ test }) => (test.of === "pattern" ? [test.regexp.source] : [])),
  );
  const patternNames = [...patterns].flatMap(wordsFor);
  const named = names.length === 0 ? undefined : makers.of([...names, { op: "kinds", kinds: kinds.string }]);
  const cache = new Map<number, Maker>();
  const maker = (name: string): Maker => {
    let mask = 0;
    for (const test of tests) mask = 2 * mask + (applies(test, name) ? 1 : 0);
    let found = cache.get(mask);
    if (found === undefined) {
      found = makers.of(general(name));
      cache.set(mask, found);
    }
    return found;
  };
  const isMap = declared.size === 0 || tests.some(({ of }) => of === "rest");
  let closed: boolean | undefined;
  const isClosed = () => {
    closed ??= !makers.isAlive(maker(noName));
    return closed;
  };
  const anyOther = (random: Random): string | undefined => {
    if (named !== undefined) return named.draw(random, 0) as string | undefined;
    if (patternNames.length > 0 && (isClosed() || once(random, 2))) return pick(random, patternNames)(random);
    return isClosed() ? undefined : anyName(random);
  };
  const name = (random: Random): string | undefined => {
    const found = anyOther(random);
    return found === undefined || declared.has(found) || !isAllowed(found) ? undefined : found;
  };
  const nameFor = (random: Random, test: MemberTest): string | undefined => {
    const known = [...declared].filter((each) => applies(test, each) && isAllowed(each));
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const found = known.length > 0 && once(random, 3) ? pick(random, known) : name(random);
      if (found !== undefined && applies(test, found)) return found;
    }
    return known.length > 0 ? pick(random, known) : undefined;
  };
  return {
    unforeseen: () => (isClosed() && patternNames.length === 0 ? undefined : maker(noName)),
    count(random) {
      if (isMap) return below(random, 4);
      if (patternNames.length > 0) return below(random, 3);
      return once(random, 8) ? 1 + below(random, 2) : 0;
    },
    add(random, room, object, wanted) {
      let added = 0;
      for (let attempt = 0; attempt < 2 * wanted + 2 && added < wanted; attempt += 1) {
        const found = name(random);
        if (found === undefined || Object.hasOwn(object, found)) continue;
        const value = maker(found).draw(random, room - 1);
        if (value === undefined) continue;
        set(object, found, value);
        added += 1;
      }
      return added;
    },
    demanded(random) {
      const wanted = new Map<string, Formula[]>();
      const want = (found: string | undefined, formulas: Formula[]): boolean => {
        if (found === undefined) return false;
        wanted.set(found, [...(wanted.get(found) ?? []), ...formulas]);
        return true;
      };
      for (const { test, formula } of some)
        if (test.of !== "name" && !want(nameFor(random, test), [formula])) return undefined;
      for (const formula of someName) {
        const found = makers.of([formula, ...names, { op: "kinds", kinds: kinds.string }]).draw(random, 0);
        if (!want(found as string | undefined, [])) return undefined;
      }
      const extra = new Map<string, Maker>();
      for (const [found, formulas] of wanted) {
        const own = some.flatMap(({ test, formula }) => (test.of === "name" && test.name === found ? [formula] : []));
        extra.set(found, makers.of([...general(found), ...own, ...formulas]));
      }
      return extra;
    },
  };
}

function wordsFor(source: string): ((random: Random) => string)[] {
  const automaton = combine([source], []);
  const words = automaton === undefined ? undefined : wordsOf(automaton, 0, longestName);
  return words === undefined ? [] : [words];
}
