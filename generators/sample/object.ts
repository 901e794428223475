import type { JsonObject } from "../../schemas/index.ts";
import type { Formula, Shape } from "../formulas/formula.ts";
import type { ImpossibleMember } from "../solve/search.ts";
import { appliesTo } from "../solve/shape.ts";
import { impossibleMember } from "./key.ts";
import type { Maker, Makers, Part } from "./maker.ts";
import { putMember } from "./member.ts";
import { othersOf } from "./other-members.ts";
import { drawBelow, type Random } from "./random.ts";

/** A member that some schema declares by name or requires. */
interface ObjectMember {
  name: string;
  maker: Maker;
  required: boolean;
}

/** The share of its optional members that an object gets, in sixteenths. */
const shares = [0, 2, 4, 6, 8, 8, 12, 16];

const noMakers: ReadonlyMap<string, Maker> = new Map();

/** Returns a part that draws objects of a shape. Undefined if there are none. If a single member makes them impossible, it is added to `impossibleMembers`. */
export function objectsFor(shape: Shape, makers: Makers, impossibleMembers: ImpossibleMember[]): Part | undefined {
  const { some, someName, min, max } = shape.object;
  const members = membersOf(shape, makers, impossibleMembers);
  if (members === undefined) return undefined;
  const otherMembers = othersOf(shape, makers, new Set(members.map(({ name }) => name)));
  const demands = some.flatMap(({ test, formula }) => (test.of === "name" ? [] : [makers.makerFor([formula])]));
  const required = members.filter((member) => member.required);
  if (required.length > max || !demands.every((demand) => makers.isAlive(demand))) return undefined;
  const isPlain = demands.length === 0 && someName.length === 0;
  const missingCount = min - required.length;
  const newMemberMaker = missingCount > 0 ? otherMembers.makerOfNewMember() : undefined;
  // Optional members that fill up an object with too few required members.
  const spareMembers: SpareMember[] = members.filter((member) => !member.required);
  if (newMemberMaker !== undefined)
    spareMembers.push(...Array.from({ length: missingCount }, () => ({ maker: newMemberMaker })));

  const draw = (random: Random, room: number): JsonObject | undefined => {
    const demandedMembers = isPlain ? noMakers : otherMembers.drawDemanded(random);
    if (demandedMembers === undefined) return undefined;
    const object: JsonObject = {};
    let count = 0;
    let remaining = max - required.length - demandedMembers.size;
    const share = room > 0 && remaining > 0 ? (shares[random.next() & 7] as number) : 0;
    for (const member of members) {
      const demandedMaker = isPlain ? undefined : demandedMembers.get(member.name);
      const isNeeded = member.required || demandedMaker !== undefined;
      if (!isNeeded && (share === 0 || remaining <= 0 || (random.next() & 15) >= share)) continue;
      if (putMember(object, member.name, { maker: demandedMaker ?? member.maker, random, room })) {
        count += 1;
        if (!isNeeded) remaining -= 1;
      } else if (isNeeded) return undefined;
    }
    for (const [name, maker] of demandedMembers) {
      if (Object.hasOwn(object, name)) continue;
      if (!putMember(object, name, { maker, random, room })) return undefined;
      count += 1;
    }
    for (
      let attemptsLeft = room > 0 ? Math.min(remaining, otherMembers.drawCount(random)) : 0;
      attemptsLeft > 0;
      attemptsLeft -= 1
    )
      if (otherMembers.addMember(object, random, room)) count += 1;
    return count >= min ||
      fillObject(object, { wanted: min - count, random, room }, { spares: spareMembers, makers, others: otherMembers })
      ? object
      : undefined;
  };

  return {
    needs: [...required.map(({ maker }) => maker), ...demands],
    ...(missingCount > 0 ? { either: { count: missingCount, makers: spareMembers.map(({ maker }) => maker) } } : {}),
    isCertain: isPlain,
    draw,
  };
}

/** An optional member. Without a name, it is any undeclared member. */
interface SpareMember {
  name?: string;
  maker: Maker;
}

/** How many members an object should get, and the room for their values. */
interface FillRequest {
  wanted: number;
  random: Random;
  room: number;
}

/** Adds the wanted number of members, from a random start in the list, or the smallest ones without room. Returns whether there were enough. */
function fillObject(
  object: JsonObject,
  { wanted, random, room }: FillRequest,
  { spares, makers, others }: { spares: readonly SpareMember[]; makers: Makers; others: ReturnType<typeof othersOf> },
): boolean {
  const start = drawBelow(random, spares.length);
  const order = [...spares.slice(start), ...spares.slice(0, start)];
  if (room <= 0) order.sort((a, b) => makers.leastNesting(a.maker) - makers.leastNesting(b.maker));
  let missingCount = wanted;
  for (const { name, maker } of order) {
    if (missingCount === 0) break;
    if (
      name === undefined
        ? others.addMember(object, random, room)
        : !Object.hasOwn(object, name) && putMember(object, name, { maker, random, room })
    )
      missingCount -= 1;
  }
  return missingCount === 0;
}

/** Lists the possible members; undefined if a required one is impossible. */
function membersOf(
  { object }: Shape,
  makers: Makers,
  impossibleMembers: ImpossibleMember[],
): ObjectMember[] | undefined {
  const { each, some, names, forbidden } = object;
  const demandedFormulas = new Map<string, Formula[]>();
  for (const { test, formula } of some)
    if (test.of === "name") demandedFormulas.set(test.name, [...(demandedFormulas.get(test.name) ?? []), formula]);
  const required = new Set([...object.required, ...demandedFormulas.keys()]);
  const declared = each.flatMap(({ test }) => (test.of === "name" ? [test.name] : []));
  const members: ObjectMember[] = [];
  for (const name of new Set([...declared, ...required])) {
    const commonFormulas = each.filter(({ test }) => appliesTo(test, name)).map(({ formula }) => formula);
    const maker = makers.makerFor([...commonFormulas, ...(demandedFormulas.get(name) ?? [])]);
    const isAllowed = !forbidden.has(name) && makers.holds(names, name);
    if (required.has(name)) {
      if (!isAllowed) return undefined;
      if (!makers.isAlive(maker)) {
        if (!demandedFormulas.has(name)) impossibleMembers.push(impossibleMember(name, commonFormulas));
        return undefined;
      }
    }
    if (isAllowed) members.push({ name, maker, required: required.has(name) });
  }
  return members;
}
