import fc from "fast-check";
import { isObject, type Json, type JsonObject, pointer, setMember } from "../../schemas/index.ts";
import { plainerDates, plainerNames } from "./readable-values.ts";

/** A value with one part made smaller. */
export interface ShrinkEdit {
  value: Json;
  /** The new location for an old one; undefined if it was removed. */
  moved(location: string): string | undefined;
}

/** The cost of an edit grows with the value, so only the outer parts of a large value are made smaller. */
const maxWork = 2_000_000;
const minNodes = 20;

/** Yields every way to make one part of a value smaller, large steps first: remove members and items, replace parts with the simplest values, shorten strings and numbers. Each edit makes the value simpler, so repeated edits terminate. */
export function* shrinkOnce(value: Json): Generator<ShrinkEdit> {
  const allNodes = [...nodes(value, "")];
  const outerNodes = allNodes.slice(0, Math.max(minNodes, Math.floor(maxWork / allNodes.length)));
  for (const { at, node } of outerNodes) yield* withoutParts(value, at, node);
  for (const { at, node } of outerNodes) if (isObject(node)) yield* renameMembers(value, at, node);
  for (const { at, node } of outerNodes) {
    for (const simple of simplerValues(node)) {
      yield {
        value: replacePart(value, pointer.segments(at), simple),
        moved: (location) => (location.startsWith(`${at}/`) && !isLeaf(node) ? undefined : location),
      };
    }
  }
}

function isLeaf(value: Json): boolean {
  return typeof value !== "object" || value === null;
}

/** Yields all parts of a value, outer parts before inner ones. */
function* nodes(value: Json, at: string): Generator<{ at: string; node: Json }> {
  const queue = [{ at, node: value }];
  for (const entry of queue) {
    yield entry;
    const { node } = entry;
    if (Array.isArray(node)) queue.push(...node.map((item, index) => ({ at: `${entry.at}/${index}`, node: item })));
    else if (isObject(node))
      queue.push(
        ...Object.keys(node).map((name) => ({ at: pointer.append(entry.at, name), node: node[name] as Json })),
      );
  }
}

function* withoutParts(whole: Json, at: string, node: Json): Generator<ShrinkEdit> {
  const segments = pointer.segments(at);
  if (Array.isArray(node)) {
    for (const [start, count] of chunks(node.length)) {
      yield {
        value: replacePart(whole, segments, [...node.slice(0, start), ...node.slice(start + count)]),
        moved: (location) => shiftLocation(location, at, start, count),
      };
    }
  } else if (isObject(node)) {
    const names = Object.keys(node);
    for (const [start, count] of chunks(names.length)) {
      const removed = names.slice(start, start + count);
      yield {
        value: replacePart(
          whole,
          segments,
          objectOf(
            node,
            names.filter((name) => !removed.includes(name)),
          ),
        ),
        moved: (location) =>
          removed.some((name) => isAtOrBelow(location, pointer.append(at, name))) ? undefined : location,
      };
    }
  }
}

/** Yields edits that rename members with hardly readable names. */
function* renameMembers(whole: Json, at: string, node: JsonObject): Generator<ShrinkEdit> {
  for (const [oldName, newName] of plainerNames(node)) {
    const object: JsonObject = {};
    for (const name of Object.keys(node)) setMember(object, name === oldName ? newName : name, node[name] as Json);
    const [oldLocation, newLocation] = [pointer.append(at, oldName), pointer.append(at, newName)];
    yield {
      value: replacePart(whole, pointer.segments(at), object),
      moved: (location) =>
        isAtOrBelow(location, oldLocation) ? `${newLocation}${location.slice(oldLocation.length)}` : location,
    };
  }
}

function isAtOrBelow(location: string, above: string): boolean {
  return location === above || location.startsWith(`${above}/`);
}

/** Computes the new location for an old one after `count` items from `start` are removed from the array at `at`. */
function shiftLocation(location: string, at: string, start: number, count: number): string | undefined {
  if (!location.startsWith(`${at}/`)) return location;
  const [segment = "", ...rest] = location.slice(at.length + 1).split("/");
  const index = Number(segment);
  if (segment === "-" || index < start) return location;
  return index < start + count ? undefined : [at, index - count, ...rest].join("/");
}

const maxChunks = 64;

/** Yields ranges to remove: everything, halves, quarters, … and single items. For very long sequences, only some of them. */
function* chunks(length: number): Generator<[start: number, count: number]> {
  for (let count = length; count >= 1; count = Math.floor(count / 2)) {
    const step = Math.max(count, Math.ceil(length / maxChunks));
    for (let start = 0; start < length; start += step) yield [start, Math.min(count, length - start)];
  }
}

/** The simplest values, simplest first. A value is replaced only by an earlier one in this list, or by a simpler value of its own type. */
const simplest: readonly Json[] = [null, false, true, 0, "", [], {}];

function* simplerValues(value: Json): Generator<Json> {
  const rank = simplest.findIndex((each) => JSON.stringify(each) === JSON.stringify(value));
  yield* rank < 0 ? simplest : simplest.slice(0, rank);
  if (typeof value === "number") yield* simplerNumbers(value);
  if (typeof value === "string") yield* simplerTexts(value);
}

function* simplerNumbers(value: number): Generator<number> {
  if (value < 0) yield -value;
  if (!Number.isInteger(value)) {
    yield Math.trunc(value);
    for (let digits = 1; digits < 16; digits += 1) {
      const rounded = Math.trunc(value * 10 ** digits) / 10 ** digits;
      if (rounded === value) break;
      if (Math.abs(rounded) < Math.abs(value)) yield rounded;
    }
  } else if (Number.isSafeInteger(value)) {
    for (const { value: nearer } of fc.maxSafeInteger().shrink(value, undefined)) if (nearer !== 0) yield nearer;
  } else yield Math.sign(value);
}

function* simplerTexts(text: string): Generator<string> {
  const characters = [...text];
  for (const [start, count] of chunks(characters.length))
    if (count < characters.length) yield [...characters.slice(0, start), ...characters.slice(start + count)].join("");
  // Replacing digits by zeros would move a date to the year 0.
  const dates = plainerDates(text);
  if (dates !== undefined) return yield* dates;
  for (const plain of ["a", "0"]) {
    const plainText = plain.repeat(characters.length);
    if (characters.some((character) => rankOf(character) > rankOf(plain))) yield plainText;
  }
  const step = Math.ceil(characters.length / maxChunks);
  for (let index = 0; index < characters.length; index += step) {
    for (const plain of ["a", "0"])
      if (rankOf(characters[index] as string) > rankOf(plain)) yield characters.with(index, plain).join("");
  }
}

/** Returns the rank of a character; the plainest one has rank 0. */
function rankOf(character: string): number {
  if (character === "a") return 0;
  return character === "0" ? 1 : 2;
}

function objectOf(from: JsonObject, names: readonly string[]): JsonObject {
  const object: JsonObject = {};
  for (const name of names) setMember(object, name, from[name] as Json);
  return object;
}

/** Replaces the part of a value at a location. Parts outside this path are shared with the old value. */
function replacePart(value: Json, segments: readonly string[], part: Json): Json {
  const [segment, ...rest] = segments;
  if (segment === undefined) return part;
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === segment ? replacePart(item, rest, part) : item));
  const object = value as JsonObject;
  const copy = objectOf(object, Object.keys(object));
  setMember(copy, segment, replacePart(object[segment] as Json, rest, part));
  return copy;
}
