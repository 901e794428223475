import { equal, type Json } from "../../schemas/index.ts";
import { type Formula, isSame } from "../formulas/formula.ts";
import type { Search } from "./search.ts";

/** The maximum number of values tried for all places together. Different values for n similar places need about n²/2 tries. */
const maxTries = (places: number): number => Math.min(6000 + places * places, 150_000);

/**
 * Makes lists with a value for each place, lazily, varying the last place first. If all values must differ, an earlier choice is revoked when a later place
 * has no value left.
 */
export function* fillPlaces(
  search: Search,
  places: readonly (readonly Formula[])[],
  values: (formulas: readonly Formula[], index: number) => Iterator<Json, unknown>,
  { unique = false }: { unique?: boolean } = {},
): Generator<Json[]> {
  const chosenValues: Json[] = [];
  // Scalars are looked up in a set, so that long lists are fast.
  const scalars = new Set<Json>();
  const isTaken = (value: Json) =>
    isScalar(value) ? scalars.has(value) : chosenValues.some((each) => equal(each, value));
  const iterators: Iterator<Json, unknown>[] = [];
  const maxTriesHere = maxTries(places.length);
  let tries = 0;
  while (true) {
    const index = chosenValues.length;
    const formulas = places[index];
    let nextValue: Json | undefined;
    if (formulas === undefined) yield [...chosenValues];
    else {
      search.spend();
      const isNew = iterators[index] === undefined;
      iterators[index] ??= values(formulas, index);
      for (
        let next = iterators[index].next();
        next.done !== true && tries <= maxTriesHere;
        next = iterators[index].next()
      ) {
        tries += 1;
        search.model.effort?.spend(5);
        if (unique && isTaken(next.value as Json)) continue;
        nextValue = next.value;
        break;
      }
      if (tries > maxTriesHere) return search.giveUp(`${places.length} ${unique ? "different " : ""}values`);
      // Other earlier choices cannot help a place without any value, or places with the same formulas and too few values.
      const isHopeless = !unique || places.slice(0, index).every((other) => isSame(other, formulas));
      if (nextValue === undefined && isNew && isHopeless) return;
    }
    if (nextValue !== undefined) {
      chosenValues.push(nextValue);
      if (isScalar(nextValue)) scalars.add(nextValue);
    } else {
      iterators.length = index;
      if (index === 0) return;
      const last = chosenValues.pop() as Json;
      if (isScalar(last) && !chosenValues.includes(last)) scalars.delete(last);
    }
  }
}

function isScalar(value: Json): boolean {
  return typeof value !== "object" || value === null;
}
