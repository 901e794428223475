import { equal, type Json } from "../../schemas/index.ts";
import { type Formula, negate, type Shape } from "../formulas/formula.ts";
import type { Maker, Makers, Part } from "./maker.ts";
import { drawBelow, type Random } from "./random.ts";

/** Longer arrays are not drawn unless the schema asks for them. */
const maxItems = 40;
const maxAsked = 5000;
const attempts = 16;

/** Draws arrays of a shape; undefined when there can be none. */
export function arraysFor(shape: Shape, makers: Makers): Part | undefined {
  const { each, some, contains, unique, repeated } = shape.array;
  const edge = each.reduce((most, { from, to }) => Math.max(most, to < Infinity ? to : from < Infinity ? from : 0), 0);
  const formulasAt = (index: number) =>
    each.filter(({ from, to }) => index >= from && index < to).map(({ formula }) => formula);
  const prefix = Array.from({ length: edge }, (_, index) => makers.of(formulasAt(index)));
  const rest = makers.of(formulasAt(edge));
  const makerAt = (index: number) => prefix[index] ?? rest;
  const seats = some.reduce((most, { from }) => Math.max(most, from + 1), 0);
  const wanted = contains.reduce((most, { min }) => Math.max(most, min), 0);
  const min = Math.max(shape.array.min, seats, wanted, repeated ? 2 : 0);
  const max = shape.array.max;
  if (min > max || min > maxAsked) return undefined;
  const demands = [...some, ...contains.filter(({ min: least }) => least > 0)];
  const special = demands.map(({ formula }) => makers.of([...formulasAt(edge), formula]));
  const needs = [...new Set(Array.from({ length: Math.min(min, edge + 1) }, (_, index) => makerAt(index)))];
  if (!needs.every((maker) => makers.isAlive(maker))) return undefined;
  if (edge === 0 && !special.every((maker) => makers.isAlive(maker))) return undefined;
  const plain = some.length === 0 && contains.length === 0 && !repeated;
  return {
    needs: edge === 0 ? [...needs, ...special] : needs,
    certain: plain,
    draw(random, room) {
      const length = lengthFrom(random, min, max, room);
      const extra = plain ? undefined : placeItem(random, shape, length);
      const items: Json[] = [];
      for (let index = 0; index < length; index += 1) {
        const more = extra?.[index] ?? [];
        const maker = more.length === 0 ? makerAt(index) : makers.of([...formulasAt(Math.min(index, edge)), ...more]);
        const item = drawItems(random, room - 1, maker, unique ? items : []);
        if (item === undefined) {
          if (index < min || extra !== undefined) return undefined;
          break;
        }
        items.push(item);
      }
      if (repeated) items[items.length - 1] = JSON.parse(JSON.stringify(items[0])) as Json;
      return items;
    },
  };
}

/** An item that is none of the others. */
function drawItems(random: Random, room: number, maker: Maker, others: readonly Json[]): Json | undefined {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const item = maker.draw(random, room);
    if (item === undefined || !others.some((other) => equal(other, item))) return item;
  }
  return undefined;
}

function lengthFrom(random: Random, min: number, max: number, room: number): number {
  if (room <= 0) return min;
  const most = Math.min(max, Math.max(min, maxItems));
  const choice = random.next() & 31;
  if (choice === 0) return min;
  if (choice === 1 && max <= maxItems) return max;
  return min + drawBelow(random, Math.min(most - min, choice < 4 ? 8 : 3) + 1);
}

/** Which formulas each item must satisfy in addition to those of its place. */
function placeItem(random: Random, { array: { some, contains } }: Shape, length: number): Formula[][] {
  const extra: Formula[][] = Array.from({ length }, () => []);
  for (const { from, to, formula } of some) {
    const end = Math.min(to, length);
    extra[from + drawBelow(random, end - from)]?.push(formula);
  }
  for (const { formula, min, max } of contains) {
    const count = Math.min(length, max, min + (drawBelow(random, 3) === 0 ? 1 : 0));
    const start = drawBelow(random, length - count + 1);
    extra.forEach((formulas, index) => {
      if (index >= start && index < start + count) formulas.push(formula);
      else if (max < Infinity) formulas.push(negate(formula));
    });
  }
  return extra;
}
