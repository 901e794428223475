import type { CharRange, DFA } from "refa";
import { isOld, oldAt, oldBefore } from "./old-characters.ts";

/** Readable characters, best first; others only if none of these fits. */
const readable = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./: +@,;!"].map(
  (character) => character.codePointAt(0) as number,
);

/** A few characters of a range, readable ones first, then a character that older tables of Unicode know, never a surrogate. Others only if they are wanted, or if there are none of these. */
function charactersOf({ min, max }: CharRange, { most, isWhole }: WordAlphabet): number[] {
  const found = readable.filter((character) => character >= min && character <= max).slice(0, most);
  const given = new Set(found);
  const number = oldBefore(min);
  if (given.size === 0 && number < oldBefore(max + 1)) given.add(oldAt(number));
  for (
    let code = min;
    code <= max && (given.size === 0 || (isWhole && given.size < most));
    code = code === 0xd7ff ? 0xe000 : code + 1
  )
    if (code < 0xd800 || code > 0xdfff) given.add(code);
  return [...given];
}

/** The used part of a range of characters. */
interface WordAlphabet {
  most: number;
  isWhole: boolean;
}

/** Enough for words that differ. */
const smallAlphabet: WordAlphabet = { most: 8, isWhole: false };

/** Enough for all existing words, if they are few. */
const wholeAlphabet: WordAlphabet = { most: 128, isWhole: true };

export function stateCount(automaton: DFA): number {
  return [...automaton.nodes()].length;
}

/** Longer words are not counted. */
const maxCounted = 10_000;

/** How many words of `min` to `max` code points there are; some number over `most` when there are more than that. */
export function countWords(automaton: DFA, min: number, max: number, most: number): number {
  const longest = Math.min(max, automaton.isFinite ? (longestLength(automaton) ?? -1) : Infinity);
  if (longest > maxCounted) return Infinity;
  const finals: ReadonlySet<DFA.ReadonlyNode> = automaton.finals;
  const nodes: DFA.ReadonlyNode[] = [...automaton.nodes()];
  const exits = new Map(nodes.map((node) => [node, exitsOf(node)] as const));
  let count = 0;
  // How many words of the length lead from a node to an end, for one length after the other.
  let ways = new Map<DFA.ReadonlyNode, number>(nodes.map((node) => [node, finals.has(node) ? 1 : 0] as const));
  for (let length = 0; length <= longest; length += 1) {
    if (length > 0) {
      const shorter = ways;
      ways = new Map(
        nodes.map((node) => {
          let sum = 0;
          for (const [to, characters] of exits.get(node) ?? []) sum += characters * (shorter.get(to) ?? 0);
          return [node, sum] as const;
        }),
      );
    }
    if (length >= min) count += ways.get(automaton.initial) ?? 0;
    if (count > most) break;
  }
  return count;
}

/** The states to which a state leads, each with the number of its characters: a class of letters is hundreds of ranges to one. */
function exitsOf(node: DFA.ReadonlyNode): Map<DFA.ReadonlyNode, number> {
  const found = new Map<DFA.ReadonlyNode, number>();
  for (const [{ min, max }, to] of node.out) found.set(to, (found.get(to) ?? 0) + max - min + 1);
  return found;
}

/** The length of a longest word in code points, if the language is finite; undefined if it is infinite or empty. */
export function longestLength(automaton: DFA): number | undefined {
  if (!automaton.isFinite) return undefined;
  // The longest path from each node to an end; none during its computation, and if no end can be reached.
  const longest = new Map<DFA.ReadonlyNode, number>();
  const finals: ReadonlySet<DFA.ReadonlyNode> = automaton.finals;
  const open: DFA.ReadonlyNode[] = [automaton.initial];
  while (open.length > 0) {
    const node = open.at(-1) as DFA.ReadonlyNode;
    const next = [...new Set(node.out.values())];
    if (!longest.has(node)) {
      longest.set(node, Number.NEGATIVE_INFINITY);
      open.push(...next.filter((to) => !longest.has(to)));
      continue;
    }
    open.pop();
    const own = finals.has(node) ? 0 : Number.NEGATIVE_INFINITY;
    longest.set(node, Math.max(own, ...next.map((to) => 1 + (longest.get(to) as number))));
  }
  const length = longest.get(automaton.initial) as number;
  return length < 0 ? undefined : length;
}

/** How many lengths above the shortest possible one are examined. */
export const maxWordLength = 400;

const listedWords = new WeakMap<DFA, Map<string, { words: string[]; rest: Iterator<string, void> }>>();

/** Strings of the automaton with `min` to `max` code points, shortest first, some of each length. */
export function words(automaton: DFA, min: number, max: number): Generator<string> {
  return rememberWords(automaton, `${min} ${max}`, () => search(automaton, min, max));
}

/** The same, and at the end many more of the shortest lengths, for callers that need many different words: if they are few, all. */
export function* manyWords(automaton: DFA, min: number, max: number): Generator<string> {
  yield* words(automaton, min, max);
  yield* rememberWords(automaton, `${min} ${max} further`, () => longerWords(automaton, min, max, smallAlphabet));
  yield* rememberWords(automaton, `${min} ${max} all`, () => otherWords(automaton, min, max));
}

/** Cached: the words of an automaton are requested again and again. */
function* rememberWords(automaton: DFA, key: string, begin: () => Iterator<string, void>): Generator<string> {
  const known = listedWords.get(automaton) ?? new Map<string, { words: string[]; rest: Iterator<string, void> }>();
  listedWords.set(automaton, known);
  const mine = known.get(key) ?? { words: [], rest: begin() };
  known.set(key, mine);
  for (let index = 0; ; index += 1) {
    if (index === mine.words.length) {
      const next = mine.rest.next();
      if (next.done === true) return;
      mine.words.push(next.value);
    }
    yield mine.words[index] as string;
  }
}

/** How many words of a length come before longer ones. */
const atFirst = 24;

/** How many more are examined at the end, for this many lengths. */
const laterLimit = 1000;
const fewLengths = 4;

function* search(automaton: DFA, min: number, max: number): Generator<string, void> {
  for (const words of lengthsOf(automaton, min, max, smallAlphabet)) yield* part(words, 0, atFirst);
}

function* longerWords(automaton: DFA, min: number, max: number, alphabet: WordAlphabet): Generator<string, void> {
  let lengths = 0;
  for (const words of lengthsOf(automaton, min, max, alphabet)) {
    yield* part(words, alphabet === smallAlphabet ? atFirst : 0, laterLimit);
    lengths += 1;
    if (lengths === fewLengths) return;
  }
}

/** Those with characters that were left out before. */
function* otherWords(automaton: DFA, min: number, max: number): Generator<string, void> {
  const given = new Set([...words(automaton, min, max), ...longerWords(automaton, min, max, smallAlphabet)]);
  for (const word of longerWords(automaton, min, max, wholeAlphabet)) if (!given.has(word)) yield word;
}

function* part(words: Iterable<string>, from: number, to: number): Generator<string> {
  let index = 0;
  for (const word of words) {
    if (index >= from) yield word;
    index += 1;
    if (index === to) return;
  }
}

/** All words of each existing length, lazily. */
function* lengthsOf(
  automaton: DFA,
  min: number,
  max: number,
  alphabet: WordAlphabet,
): Generator<Iterable<string>, void> {
  const longest = Math.min(max, Math.max(min, 0) + maxWordLength);
  const nodes = [...automaton.nodes()];
  const exits = new Map(nodes.map((node) => [node, [...exitsOf(node).keys()]] as const));
  // finishes[k] holds the nodes from which exactly k more characters lead to an end.
  const finishes: Set<DFA.ReadonlyNode>[] = [new Set(nodes.filter((node) => automaton.finals.has(node)))];
  let empty = 0;
  for (let length = 0; length <= longest; length += 1) {
    if (length > 0) {
      const next = finishes[length - 1] as Set<DFA.ReadonlyNode>;
      finishes.push(new Set(nodes.filter((node) => exits.get(node)?.some((to) => next.has(to)))));
    }
    if (length < min) continue;
    if (!(finishes[length] as Set<DFA.ReadonlyNode>).has(automaton.initial)) {
      empty += 1;
      if (empty > nodes.length + 64) return;
      continue;
    }
    empty = 0;
    yield ofLength(automaton.initial, length, finishes, alphabet);
  }
}

/** Without recursion: words are as long as a schema requires. */
function* ofLength(
  initial: DFA.ReadonlyNode,
  length: number,
  finishes: readonly Set<DFA.ReadonlyNode>[],
  alphabet: WordAlphabet,
): Generator<string> {
  const waiting = [{ node: initial, left: length, text: "" }];
  for (let last = waiting.pop(); last !== undefined; last = waiting.pop()) {
    const { node, left, text } = last;
    if (left === 0) yield text;
    if (left === 0) continue;
    const open = finishes[left - 1] as Set<DFA.ReadonlyNode>;
    const next = stepsFrom(node, alphabet).filter(({ to }) => open.has(to));
    for (const { character, to } of next.reverse())
      waiting.push({ node: to, left: left - 1, text: text + String.fromCodePoint(character) });
  }
}

interface Transition {
  character: number;
  to: DFA.ReadonlyNode;
}

const steps = new Map(
  [smallAlphabet, wholeAlphabet].map((alphabet) => [alphabet, new WeakMap<DFA.ReadonlyNode, Transition[]>()] as const),
);

/** The characters that lead on from a state, readable ones first. */
function stepsFrom(node: DFA.ReadonlyNode, alphabet: WordAlphabet): Transition[] {
  const known = steps.get(alphabet)?.get(node);
  if (known !== undefined) return known;
  const rank = ({ character }: Transition) => {
    const index = readable.indexOf(character);
    return index < 0 ? readable.length + character + (isOld(character) ? 0 : 0x110000) : index;
  };
  const found = [...node.out]
    .flatMap(([range, to]) => charactersOf(range, alphabet).map((character) => ({ character, to })))
    .sort((a, b) => rank(a) - rank(b));
  steps.get(alphabet)?.set(node, found);
  return found;
}
