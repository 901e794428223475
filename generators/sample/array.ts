import { equal, type Json } from "../../schemas/index.ts";
import { type Formula, negate, type Shape } from "../formulas/formula.ts";
import type { Maker, Makers, Part } from "./maker.ts";
import { drawBelow, type Random } from "./random.ts";

/** Longer arrays are not drawn unless the schema requires them. */
const maxItems = 40;
/** A longer required array is not drawn at all. */
const maxRequired = 5000;
/** How often an item is drawn until it differs from the others. */
const attempts = 16;

/** Returns a part that draws arrays of a shape. Undefined if there are none. */
export function arraysFor(shape: Shape, makers: Makers): Part | undefined {
  const { each, some, contains, unique, repeated } = shape.array;
  const prefixLength = each.reduce((most, range) => Math.max(most, lastBoundary(range)), 0);
  const formulasAt = (index: number) =>
    each.filter(({ from, to }) => index >= from && index < to).map(({ formula }) => formula);
  const prefix = Array.from({ length: prefixLength }, (_, index) => makers.makerFor(formulasAt(index)));
  const rest = makers.makerFor(formulasAt(prefixLength));
  const makerAt = (index: number) => prefix[index] ?? rest;
  const minForSome = some.reduce((most, { from }) => Math.max(most, from + 1), 0);
  const minForContains = contains.reduce((most, { min }) => Math.max(most, min), 0);
  const min = Math.max(shape.array.min, minForSome, minForContains, repeated ? 2 : 0);
  const max = shape.array.max;
  if (min > max || min > maxRequired) return undefined;
  const demands = [...some, ...contains.filter(({ min: least }) => least > 0)];
  const demandMakers = demands.map(({ formula }) => makers.makerFor([...formulasAt(prefixLength), formula]));
  const needs = [...new Set(Array.from({ length: Math.min(min, prefixLength + 1) }, (_, index) => makerAt(index)))];
  if (!needs.every((maker) => makers.isAlive(maker))) return undefined;
  if (prefixLength === 0 && !demandMakers.every((maker) => makers.isAlive(maker))) return undefined;
  const isPlain = some.length === 0 && contains.length === 0 && !repeated;
  return {
    needs: prefixLength === 0 ? [...needs, ...demandMakers] : needs,
    isCertain: isPlain,
    draw(random, room) {
      const length = drawLength(random, min, max, room);
      const demandsByIndex = isPlain ? undefined : assignDemands(random, shape, length);
      const items: Json[] = [];
      for (let index = 0; index < length; index += 1) {
        const itemDemands = demandsByIndex?.[index] ?? [];
        const maker =
          itemDemands.length === 0
            ? makerAt(index)
            : makers.makerFor([...formulasAt(Math.min(index, prefixLength)), ...itemDemands]);
        const item = drawItem(random, room - 1, maker, unique ? items : []);
        if (item === undefined) {
          if (index < min || demandsByIndex !== undefined) return undefined;
          break;
        }
        items.push(item);
      }
      if (repeated) items[items.length - 1] = JSON.parse(JSON.stringify(items[0])) as Json;
      return items;
    },
  };
}

/** Finds the last finite end of a range of items. */
function lastBoundary({ from, to }: { from: number; to: number }): number {
  if (to < Infinity) return to;
  return from < Infinity ? from : 0;
}

/** Draws an item that differs from the others. */
function drawItem(random: Random, room: number, maker: Maker, earlierItems: readonly Json[]): Json | undefined {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const item = maker.draw(random, room);
    if (item === undefined || !earlierItems.some((other) => equal(other, item))) return item;
  }
  return undefined;
}

function drawLength(random: Random, min: number, max: number, room: number): number {
  if (room <= 0) return min;
  const maxDrawn = Math.min(max, Math.max(min, maxItems));
  // One of 32 arrays has the minimum length, and one the maximum length; two may be longer than usual.
  const choice = random.next() & 31;
  if (choice === 0) return min;
  if (choice === 1 && max <= maxItems) return max;
  return min + drawBelow(random, Math.min(maxDrawn - min, choice < 4 ? 8 : 3) + 1);
}

/** Assigns further formulas to the items, at random positions, so that the array meets `some` and `contains`. */
function assignDemands(random: Random, { array: { some, contains } }: Shape, length: number): Formula[][] {
  const demandsByIndex: Formula[][] = Array.from({ length }, () => []);
  for (const { from, to, formula } of some) {
    const end = Math.min(to, length);
    demandsByIndex[from + drawBelow(random, end - from)]?.push(formula);
  }
  for (const { formula, min, max } of contains) {
    const count = Math.min(length, max, min + (drawBelow(random, 3) === 0 ? 1 : 0));
    const start = drawBelow(random, length - count + 1);
    demandsByIndex.forEach((formulas, index) => {
      if (index >= start && index < start + count) formulas.push(formula);
      else if (max < Infinity) formulas.push(negate(formula));
    });
  }
  return demandsByIndex;
}
