import { automatonOf } from "./automaton.ts";
import { scripts } from "./digits.ts";
import { whiteSpace } from "./kin.ts";
import { otherLetter } from "./look-alike.ts";
import { longestLength, words } from "./words.ts";

/** A string that a pattern refuses although it looks correct. */
export interface NearMiss {
  name: string;
  text: string;
  /** Whether the string becomes a vector only if it kills a mutant. */
  spare?: true;
}

/** A character that is accepted if a class is too wide. */
interface Intruder {
  name: string;
  character: string;
  /** The digits from 0 to 9 of its script. */
  digits?: readonly string[];
  spare?: true;
}

const intruder = (name: string, character: string): Intruder => ({ name, character });
/** An intruder that some mutant of every class accepts. */
const usualIntruder = (name: string, character: string, digits?: readonly string[]): Intruder => ({
  name,
  character,
  spare: true,
  ...(digits === undefined ? {} : { digits }),
});

/** Characters of different kinds. */
export const intruders: readonly Intruder[] = [
  usualIntruder("space", " "),
  usualIntruder("hyphen", "-"),
  usualIntruder("underscore", "_"),
  usualIntruder("point", "."),
  usualIntruder("slash", "/"),
  usualIntruder("upper-case-letter", "A"),
  usualIntruder("lower-case-letter", "g"),
  usualIntruder("digit", "7"),
  usualIntruder("accented-letter", "é"),
  usualIntruder("full-width-digit", "７", scripts.wide),
  usualIntruder("arabic-digit", "٣", scripts.arabic),
  intruder("astral", "😀"),
  intruder("nul", "\u0000"),
];

/** Returns the intruder that replaces a character. A digit is replaced by the same digit of the other script, because a reader may check the number. */
export function inPlaceOf(replaced: string | undefined, { character, digits }: Intruder): string {
  return (/^[0-9]$/.test(replaced ?? "") ? digits?.[Number(replaced)] : undefined) ?? character;
}

/**
 * Lists near misses of a pattern around one string that it matches: something before, after or inside it, another case, one character over the
 * longest, and faults inside: a character of the wrong class at the first, middle and last place, or a missing one. Each is confirmed to be refused.
 */
export function nearMisses(pattern: RegExp, matching: string): NearMiss[] {
  return [...eachNearMiss(pattern, matching, exchanges(pattern, matching))];
}

/** Like `nearMisses`, but lazy, because many callers need only a few. */
export function* eachNearMiss(pattern: RegExp, matching: string, inside: Iterable<NearMiss>): Generator<NearMiss> {
  const names = new Set<string>();
  const texts = new Set<string>();
  for (const miss of candidates(pattern, matching, inside)) {
    const { name, text } = miss;
    if (names.has(name) || texts.has(text) || pattern.test(text)) continue;
    names.add(name);
    texts.add(text);
    yield miss;
  }
}

function* candidates(pattern: RegExp, matching: string, inside: Iterable<NearMiss>): Generator<NearMiss> {
  const characters = [...matching];
  yield { name: "prefix-missing", text: characters.slice(1).join("") };
  yield { name: "line-feed-at-the-end", text: `${matching}\n` };
  yield { name: "leading-space", text: ` ${matching}` };
  yield { name: "trailing-space", text: `${matching} ` };
  yield { name: "empty", text: "" };
  const upper = matching.toUpperCase();
  yield { name: "other-case", text: upper === matching ? matching.toLowerCase() : upper };
  yield { name: "look-alike", text: otherLetter(pattern, matching) };
  yield* inside;
  if (/\\s/i.test(pattern.source)) yield { name: "all-white-space", text: whiteSpace, spare: true };
  yield { name: "line-feed-inside", text: [...characters.slice(0, -1), "\n", ...characters.slice(-1)].join("") };
  yield { name: "nul-inside", text: [...characters.slice(0, -1), "\u0000", ...characters.slice(-1)].join("") };
  yield { name: "word-before", text: `x${matching}` };
  yield { name: "word-after", text: `${matching}x` };
  yield { name: "doubled", text: matching + matching };
  const longest = longestOf(pattern.source);
  if (longest !== undefined) yield { name: "one-over-the-longest", text: longest + (longest.at(-1) ?? "a") };
}

/** Yields strings with the first, middle or last character replaced by one of another class, or removed. */
export function* exchanges(pattern: RegExp, matching: string): Generator<NearMiss> {
  const characters = [...matching];
  const places: [string, number][] = [
    ["first", 0],
    ["middle", Math.floor(characters.length / 2)],
    ["last", characters.length - 1],
  ];
  for (const [position, index] of places) {
    if (index < 0) continue;
    const { before, after } = surroundingText(characters, index);
    let remaining = maxIntruders;
    for (const intruder of intruders) {
      const text = before + inPlaceOf(characters[index], intruder) + after;
      if (pattern.test(text)) continue;
      const { name, spare } = intruder;
      yield { name: `${name}-${position}`, text, ...(spare === true ? { spare } : {}) };
      remaining -= 1;
      if (remaining === 0) break;
    }
    yield { name: `${position}-left-out`, text: before + after };
  }
}

/** How many characters of another class replace one character. */
const maxIntruders = 4;

/** Returns the strings before and after one of the characters. */
export function surroundingText(characters: readonly string[], index: number): { before: string; after: string } {
  return { before: characters.slice(0, index).join(""), after: characters.slice(index + 1).join("") };
}

/** Finds a longest matching string, if the language is finite and the string has at most a thousand characters. */
export function longestOf(source: string): string | undefined {
  const automaton = automatonOf(source);
  const length = automaton === undefined ? undefined : longestLength(automaton);
  if (automaton === undefined || length === undefined || length > 1000) return undefined;
  for (const word of words(automaton, length, length)) return word;
  return undefined;
}

/** Finds a shortest matching string. */
export function shortestOf(source: string): string | undefined {
  const automaton = automatonOf(source);
  if (automaton === undefined) return undefined;
  for (const word of words(automaton, 0, 1000)) return word;
  return undefined;
}
