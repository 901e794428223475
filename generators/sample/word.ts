import type { Automaton } from "../regex/automaton.ts";
import { oldAt, oldBefore } from "../regex/old-characters.ts";
import { drawBelow, type Random } from "./random.ts";

/** How much longer a word may be than the shortest possible one. */
const maxExtraLength = 320;
/** The maximum size of the table of endings. */
const maxCells = 4_000_000;

/** A numbered subset of all characters. */
interface Characters {
  /** The number of these characters before a code point. */
  before(code: number): number;
  at(number: number): number;
}

const oldCharacters: Characters = { before: oldBefore, at: oldAt };
const anyCharacters: Characters = { before: (code) => code, at: (number) => number };

/** Numbers of characters that lead from one state to another. `weight` is the relative frequency. */
interface WordStep {
  low: number;
  count: number;
  to: number;
  weight: number;
}

/** One of several equally likely steps: `count` characters from `low` on, and the next state. `code` is the code point of a single character. */
type CharacterRange = Pick<WordStep, "low" | "count" | "to"> & { code: number };

/**
 * Draws words of an automaton with `min` to `max` code points. Each step is chosen among those from which the length can still be reached, so no word is
 * discarded. Characters that older Unicode tables lack are drawn only if every word has one. Undefined if there is no word, or if the tables would be
 * too large.
 */
export function wordsOf(automaton: Automaton, min: number, max: number): ((random: Random) => string) | undefined {
  return wordsAmong(oldCharacters, automaton, min, max) ?? wordsAmong(anyCharacters, automaton, min, max);
}

function wordsAmong(
  characters: Characters,
  automaton: Automaton,
  min: number,
  max: number,
): ((random: Random) => string) | undefined {
  const nodes = [...automaton.nodes()];
  const numbers = new Map(nodes.map((node, state) => [node, state]));
  const finals = nodes.map((node) => automaton.finals.has(node));
  const stepsByState = nodes.map((node) =>
    [...node.out].flatMap(([{ min: low, max: high }, to]) =>
      splitRange(characters, low, high, numbers.get(to) as number),
    ),
  );
  const initial = numbers.get(automaton.initial) as number;
  const states = nodes.length;
  const maxDrawn = Math.min(max, Math.max(min, shortestLength(stepsByState, finals, initial)) + maxExtraLength);
  if (!(states * (maxDrawn + 1) <= maxCells)) return undefined;
  const ends = findEndings(stepsByState, finals, maxDrawn);
  const lengths: number[] = [];
  for (let length = min; length <= maxDrawn; length += 1)
    if (ends[length * states + initial] === 1) lengths.push(length);
  if (lengths.length === 0) return undefined;
  const steps: (readonly CharacterRange[])[][] = nodes.map(() => []);
  const shared = new Map<string, readonly CharacterRange[]>();
  const stepsAt = (state: number, remaining: number): readonly CharacterRange[] => {
    const possible = (stepsByState[state] as WordStep[]).filter(({ to }) => ends[(remaining - 1) * states + to] === 1);
    const key = `${state} ${possible.map(({ low }) => low).join()}`;
    const ranges = shared.get(key) ?? possible.flatMap((step) => stepsOf(characters, step));
    shared.set(key, ranges);
    return ranges;
  };
  return (random) => {
    const units: number[] = [];
    let state = initial;
    for (let remaining = drawLength(random, lengths); remaining > 0; remaining -= 1) {
      const row = steps[state] as (readonly CharacterRange[])[];
      let ranges = row[remaining];
      if (ranges === undefined) {
        ranges = stepsAt(state, remaining);
        row[remaining] = ranges;
      }
      const { low, count, to, code: onlyCode } = ranges[drawBelow(random, ranges.length)] as CharacterRange;
      const code = count === 1 ? onlyCode : characters.at(low + drawBelow(random, count));
      if (code < 0x10000) units.push(code);
      else units.push(0xd7c0 + (code >> 10), 0xdc00 + (code & 0x3ff));
      state = to;
    }
    return textOf(units);
  };
}

/** Returns a table that has, at `remaining * states + state`, 1 if exactly `remaining` more characters lead from the state to an end. */
function findEndings(stepsByState: readonly WordStep[][], finals: readonly boolean[], maxLength: number): Uint8Array {
  const states = stepsByState.length;
  const ends = new Uint8Array(states * (maxLength + 1));
  for (let state = 0; state < states; state += 1) ends[state] = finals[state] ? 1 : 0;
  for (let remaining = 1; remaining <= maxLength; remaining += 1) {
    const before = (remaining - 1) * states;
    for (let state = 0; state < states; state += 1)
      ends[remaining * states + state] = (stepsByState[state] as WordStep[]).some(({ to }) => ends[before + to] === 1)
        ? 1
        : 0;
  }
  return ends;
}

/** Draws a length: mostly a short one, sometimes the shortest, the longest or any. */
function drawLength(random: Random, lengths: readonly number[]): number {
  const last = lengths.length - 1;
  const choice = random.next() & 15;
  if (choice === 0) return lengths[0] as number;
  if (choice === 1) return lengths[last] as number;
  return lengths[drawBelow(random, (choice === 2 ? last : Math.min(last, 16)) + 1)] as number;
}

/** Lists the parts of one range of characters. Printable ASCII has its full weight, other characters little; surrogates are left out. */
function splitRange({ before }: Characters, low: number, high: number, to: number): WordStep[] {
  const parts: [from: number, end: number, most: number][] = [
    [0, 0x1f, 1],
    [0x20, 0x7e, 95],
    [0x7f, 0xd7ff, 3],
    [0xe000, 0xffff, 1],
    [0x10000, 0x10ffff, 2],
  ];
  return parts.flatMap(([from, end, maxWeight]) => {
    const first = before(Math.max(low, from));
    const count = before(Math.min(high, end) + 1) - first;
    return count > 0 ? [{ low: first, count, to, weight: Math.min(count, maxWeight) }] : [];
  });
}

/** Each character gets its own step if possible. */
function stepsOf({ at }: Characters, { low, count, to, weight }: WordStep): CharacterRange[] {
  return Array.from({ length: weight }, (_, offset) =>
    weight === count ? { low: low + offset, count: 1, to, code: at(low + offset) } : { low, count, to, code: at(low) },
  );
}

const chunkLength = 4096;

/** Makes a string from UTF-16 units in large pieces, because a string joined from single characters is slow to read later. */
function textOf(units: readonly number[]): string {
  if (units.length <= chunkLength) return String.fromCharCode(...units);
  return String.fromCharCode(...units.slice(0, chunkLength)) + textOf(units.slice(chunkLength));
}

/** Returns the smallest number of characters to an end, or Infinity. */
function shortestLength(stepsByState: readonly WordStep[][], finals: readonly boolean[], initial: number): number {
  const visited = new Set([initial]);
  let frontier = [initial];
  for (let length = 0; frontier.length > 0; length += 1) {
    if (frontier.some((state) => finals[state])) return length;
    frontier = [
      ...new Set(frontier.flatMap((state) => (stepsByState[state] as WordStep[]).map(({ to }) => to))),
    ].filter((state) => !visited.has(state));
    for (const state of frontier) visited.add(state);
  }
  return Infinity;
}
