import type { CharRange, DFA } from "refa";
import { isOld, oldAt, oldBefore } from "./old-characters.ts";

/** Readable characters, best first; others only if none of these fits. */
const readable = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./: +@,;!"].map(
  (character) => character.codePointAt(0) as number,
);

/** Lists a few characters of a range: readable ones, or else one that older Unicode tables have. Others only for a whole alphabet, or if there are none of these; never a surrogate. */
function charactersOf({ min, max }: CharRange, { most, isWhole }: WordAlphabet): number[] {
  const fitting = readable.filter((character) => character >= min && character <= max).slice(0, most);
  const characters = new Set(fitting);
  const oldIndex = oldBefore(min);
  if (characters.size === 0 && oldIndex < oldBefore(max + 1)) characters.add(oldAt(oldIndex));
  for (
    let code = min;
    code <= max && (characters.size === 0 || (isWhole && characters.size < most));
    code = code === 0xd7ff ? 0xe000 : code + 1
  )
    if (code < 0xd800 || code > 0xdfff) characters.add(code);
  return [...characters];
}

/** Which characters of a range are used. */
interface WordAlphabet {
  most: number;
  isWhole: boolean;
}

/** Sufficient if the words only have to differ. */
const smallAlphabet: WordAlphabet = { most: 8, isWhole: false };

/** Sufficient to list all words, if they are few. */
const wholeAlphabet: WordAlphabet = { most: 128, isWhole: true };

export function stateCount(automaton: DFA): number {
  return [...automaton.nodes()].length;
}

/** Longer words are not counted. */
const maxCounted = 10_000;

/** Counts the words with `min` to `max` code points, or some number over `most` if there are more than that. */
export function countWords(automaton: DFA, min: number, max: number, most: number): number {
  const maxCountedLength = Math.min(max, automaton.isFinite ? (longestLength(automaton) ?? -1) : Infinity);
  if (maxCountedLength > maxCounted) return Infinity;
  const finals: ReadonlySet<DFA.ReadonlyNode> = automaton.finals;
  const nodes: DFA.ReadonlyNode[] = [...automaton.nodes()];
  const exits = new Map(nodes.map((node) => [node, exitsOf(node)] as const));
  let count = 0;
  // For the current length: how many words lead from each node to an end.
  let counts = new Map<DFA.ReadonlyNode, number>(nodes.map((node) => [node, finals.has(node) ? 1 : 0] as const));
  for (let length = 0; length <= maxCountedLength; length += 1) {
    if (length > 0) {
      const shorter = counts;
      counts = new Map(
        nodes.map((node) => {
          let total = 0;
          for (const [to, characters] of exits.get(node) ?? []) total += characters * (shorter.get(to) ?? 0);
          return [node, total] as const;
        }),
      );
    }
    if (length >= min) count += counts.get(automaton.initial) ?? 0;
    if (count > most) break;
  }
  return count;
}

/** Lists the states that a state leads to, each with its number of characters. A class of letters has hundreds of ranges that lead to one state. */
function exitsOf(node: DFA.ReadonlyNode): Map<DFA.ReadonlyNode, number> {
  const exits = new Map<DFA.ReadonlyNode, number>();
  for (const [{ min, max }, to] of node.out) exits.set(to, (exits.get(to) ?? 0) + max - min + 1);
  return exits;
}

/** Returns the length of a longest word in code points, if the language is finite; undefined if it is infinite or empty. */
export function longestLength(automaton: DFA): number | undefined {
  if (!automaton.isFinite) return undefined;
  // The longest path from each node to an end: -Infinity while it is computed, and if no end can be reached.
  const longest = new Map<DFA.ReadonlyNode, number>();
  const finals: ReadonlySet<DFA.ReadonlyNode> = automaton.finals;
  const reachable: DFA.ReadonlyNode[] = [automaton.initial];
  while (reachable.length > 0) {
    const node = reachable.at(-1) as DFA.ReadonlyNode;
    const successors = [...new Set(node.out.values())];
    if (!longest.has(node)) {
      longest.set(node, Number.NEGATIVE_INFINITY);
      reachable.push(...successors.filter((successor) => !longest.has(successor)));
      continue;
    }
    reachable.pop();
    const endLength = finals.has(node) ? 0 : Number.NEGATIVE_INFINITY;
    longest.set(node, Math.max(endLength, ...successors.map((successor) => 1 + (longest.get(successor) as number))));
  }
  const length = longest.get(automaton.initial) as number;
  return length < 0 ? undefined : length;
}

/** How many lengths above the shortest possible one are examined. */
export const maxWordLength = 400;

const listedWords = new WeakMap<DFA, Map<string, { words: string[]; rest: Iterator<string, void> }>>();

/** Yields strings of the automaton with `min` to `max` code points, shortest first, some of each length. */
export function words(automaton: DFA, min: number, max: number): Generator<string> {
  return rememberWords(automaton, `${min} ${max}`, () => firstWords(automaton, min, max));
}

/** Like `words`, followed by many more of the shortest lengths, or by all words if there are few. */
export function* manyWords(automaton: DFA, min: number, max: number): Generator<string> {
  yield* words(automaton, min, max);
  yield* rememberWords(automaton, `${min} ${max} further`, () => longerWords(automaton, min, max, smallAlphabet));
  yield* rememberWords(automaton, `${min} ${max} all`, () => otherWords(automaton, min, max));
}

/** Cached: the words of an automaton are requested again and again. */
function* rememberWords(automaton: DFA, key: string, begin: () => Iterator<string, void>): Generator<string> {
  const byKey = listedWords.get(automaton) ?? new Map<string, { words: string[]; rest: Iterator<string, void> }>();
  listedWords.set(automaton, byKey);
  const listed = byKey.get(key) ?? { words: [], rest: begin() };
  byKey.set(key, listed);
  for (let index = 0; ; index += 1) {
    if (index === listed.words.length) {
      const next = listed.rest.next();
      if (next.done === true) return;
      listed.words.push(next.value);
    }
    yield listed.words[index] as string;
  }
}

/** How many words of each length `words` lists. */
const firstLimit = 24;

/** How many words `manyWords` examines afterwards, for each of the shortest lengths. */
const laterLimit = 1000;
const fewLengths = 4;

function* firstWords(automaton: DFA, min: number, max: number): Generator<string, void> {
  for (const words of lengthsOf(automaton, min, max, smallAlphabet)) yield* sliceWords(words, 0, firstLimit);
}

function* longerWords(automaton: DFA, min: number, max: number, alphabet: WordAlphabet): Generator<string, void> {
  let lengths = 0;
  for (const words of lengthsOf(automaton, min, max, alphabet)) {
    yield* sliceWords(words, alphabet === smallAlphabet ? firstLimit : 0, laterLimit);
    lengths += 1;
    if (lengths === fewLengths) return;
  }
}

/** Yields the words with characters outside the small alphabet. */
function* otherWords(automaton: DFA, min: number, max: number): Generator<string, void> {
  const yielded = new Set([...words(automaton, min, max), ...longerWords(automaton, min, max, smallAlphabet)]);
  for (const word of longerWords(automaton, min, max, wholeAlphabet)) if (!yielded.has(word)) yield word;
}

function* sliceWords(words: Iterable<string>, from: number, to: number): Generator<string> {
  let index = 0;
  for (const word of words) {
    if (index >= from) yield word;
    index += 1;
    if (index === to) return;
  }
}

/** Yields all words of each existing length, lazily. */
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
  let emptyLengths = 0;
  for (let length = 0; length <= longest; length += 1) {
    if (length > 0) {
      const next = finishes[length - 1] as Set<DFA.ReadonlyNode>;
      finishes.push(new Set(nodes.filter((node) => exits.get(node)?.some((to) => next.has(to)))));
    }
    if (length < min) continue;
    if (!(finishes[length] as Set<DFA.ReadonlyNode>).has(automaton.initial)) {
      emptyLengths += 1;
      if (emptyLengths > nodes.length + 64) return;
      continue;
    }
    emptyLengths = 0;
    yield wordsOfLength(automaton.initial, length, finishes, alphabet);
  }
}

/** Lists the words of one length. It does not recurse, because a schema may require very long words. */
function* wordsOfLength(
  initial: DFA.ReadonlyNode,
  length: number,
  finishes: readonly Set<DFA.ReadonlyNode>[],
  alphabet: WordAlphabet,
): Generator<string> {
  const stack = [{ node: initial, remaining: length, text: "" }];
  for (let last = stack.pop(); last !== undefined; last = stack.pop()) {
    const { node, remaining, text } = last;
    if (remaining === 0) yield text;
    if (remaining === 0) continue;
    const finishingNodes = finishes[remaining - 1] as Set<DFA.ReadonlyNode>;
    const next = transitionsFrom(node, alphabet).filter(({ to }) => finishingNodes.has(to));
    for (const { character, to } of next.reverse())
      stack.push({ node: to, remaining: remaining - 1, text: text + String.fromCodePoint(character) });
  }
}

interface Transition {
  character: number;
  to: DFA.ReadonlyNode;
}

const cachedTransitions = new Map(
  [smallAlphabet, wholeAlphabet].map((alphabet) => [alphabet, new WeakMap<DFA.ReadonlyNode, Transition[]>()] as const),
);

/** Lists the characters that lead on from a state, readable ones first. */
function transitionsFrom(node: DFA.ReadonlyNode, alphabet: WordAlphabet): Transition[] {
  const cached = cachedTransitions.get(alphabet)?.get(node);
  if (cached !== undefined) return cached;
  const rank = ({ character }: Transition) => {
    const index = readable.indexOf(character);
    return index < 0 ? readable.length + character + (isOld(character) ? 0 : 0x110000) : index;
  };
  const transitions = [...node.out]
    .flatMap(([range, to]) => charactersOf(range, alphabet).map((character) => ({ character, to })))
    .sort((a, b) => rank(a) - rank(b));
  cachedTransitions.get(alphabet)?.set(node, transitions);
  return transitions;
}
