import type { CharRange, DFA } from "refa";

/** Characters that read well, best first; others only where none of these fits. */
const readable = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./: +@,;!"].map(
  (character) => character.codePointAt(0) as number,
);

/** A few characters of a range, readable ones first, never a surrogate. */
function charactersOf({ min, max }: CharRange, limit: number): number[] {
  const found = readable.filter((character) => character >= min && character <= max).slice(0, limit);
  for (let code = min; found.length === 0 && code <= max; code = code === 0xd7ff ? 0xe000 : code + 1) {
    if (code < 0xd800 || code > 0xdfff) found.push(code);
  }
  return found;
}

export function stateCount(automaton: DFA): number {
  return [...automaton.nodes()].length;
}

/** How many words of `min` to `max` code points there are; some number over `most` when there are more than that. */
export function countWords(automaton: DFA, min: number, max: number, most: number): number {
  if (!automaton.isFinite) return Infinity;
  const longest = longestLength(automaton) ?? -1;
  const finals: ReadonlySet<DFA.ReadonlyNode> = automaton.finals;
  const nodes: DFA.ReadonlyNode[] = [...automaton.nodes()];
  let count = 0;
  // How many words of the length lead from a node to an end, for one length after the other.
  let ways = new Map<DFA.ReadonlyNode, number>(nodes.map((node) => [node, finals.has(node) ? 1 : 0] as const));
  for (let length = 0; length <= Math.min(max, longest); length += 1) {
    if (length > 0) {
      const shorter = ways;
      ways = new Map(
        nodes.map((node) => {
          const sizes = [...node.out].map(([range, to]) => (range.max - range.min + 1) * (shorter.get(to) ?? 0));
          return [node, sizes.reduce((sum, size) => sum + size, 0)] as const;
        }),
      );
    }
    if (length >= min) count += ways.get(automaton.initial) ?? 0;
    if (count > most) break;
  }
  return count;
}

/** The length of a longest word in code points, where the language is finite; undefined where it is not, and where it is empty. */
export function longestLength(automaton: DFA): number | undefined {
  if (!automaton.isFinite) return undefined;
  // Of each node the longest way to an end; none while it is being looked at, and where no end can be reached.
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

/** How many lengths beyond the shortest wanted one are looked at. */
export const horizon = 400;

const told = new WeakMap<DFA, Map<string, { words: string[]; rest: Iterator<string, void> }>>();

/** Strings of the automaton with `min` to `max` code points, shortest first, some of each length. */
export function words(automaton: DFA, min: number, max: number): Generator<string> {
  return remembered(automaton, `${min} ${max}`, () => search(automaton, min, max));
}

/** The same, and at the end many more of the shortest lengths, for whoever wants many that are different. */
export function* manyWords(automaton: DFA, min: number, max: number): Generator<string> {
  yield* words(automaton, min, max);
  yield* remembered(automaton, `${min} ${max} further`, () => further(automaton, min, max));
}

/** Words of an automaton are asked for again and again. */
function* remembered(automaton: DFA, key: string, begin: () => Iterator<string, void>): Generator<string> {
  const known = told.get(automaton) ?? new Map<string, { words: string[]; rest: Iterator<string, void> }>();
  told.set(automaton, known);
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

/** How many more there are at the end, of so many lengths. */
const later = 1000;
const fewLengths = 4;

function* search(automaton: DFA, min: number, max: number): Generator<string, void> {
  for (const all of lengthsOf(automaton, min, max)) yield* part(all, 0, atFirst);
}

function* further(automaton: DFA, min: number, max: number): Generator<string, void> {
  let lengths = 0;
  for (const all of lengthsOf(automaton, min, max)) {
    yield* part(all, atFirst, later);
    lengths += 1;
    if (lengths === fewLengths) return;
  }
}

function* part(all: Iterable<string>, from: number, to: number): Generator<string> {
  let index = 0;
  for (const each of all) {
    if (index >= from) yield each;
    index += 1;
    if (index === to) return;
  }
}

/** For each length that there is all words of it, lazily. */
function* lengthsOf(automaton: DFA, min: number, max: number): Generator<Iterable<string>, void> {
  const longest = Math.min(max, Math.max(min, 0) + horizon);
  const nodes = [...automaton.nodes()];
  // finishes[k] holds the nodes from which exactly k more characters lead to an end.
  const finishes: Set<DFA.ReadonlyNode>[] = [new Set(nodes.filter((node) => automaton.finals.has(node)))];
  let empty = 0;
  for (let length = 0; length <= longest; length += 1) {
    if (length > 0) {
      const next = finishes[length - 1] as Set<DFA.ReadonlyNode>;
      finishes.push(new Set(nodes.filter((node) => [...node.out.values()].some((to) => next.has(to)))));
    }
    if (length < min) continue;
    if (!(finishes[length] as Set<DFA.ReadonlyNode>).has(automaton.initial)) {
      empty += 1;
      if (empty > nodes.length + 64) return;
      continue;
    }
    empty = 0;
    yield ofLength(automaton.initial, length, finishes);
  }
}

/** Not by recursion: words are as long as a schema says. */
function* ofLength(
  initial: DFA.ReadonlyNode,
  length: number,
  finishes: readonly Set<DFA.ReadonlyNode>[],
): Generator<string> {
  const waiting = [{ node: initial, left: length, text: "" }];
  for (let last = waiting.pop(); last !== undefined; last = waiting.pop()) {
    const { node, left, text } = last;
    if (left === 0) yield text;
    if (left === 0) continue;
    const open = finishes[left - 1] as Set<DFA.ReadonlyNode>;
    const next = stepsFrom(node).filter(({ to }) => open.has(to));
    for (const { character, to } of next.reverse())
      waiting.push({ node: to, left: left - 1, text: text + String.fromCodePoint(character) });
  }
}

interface Letter {
  character: number;
  to: DFA.ReadonlyNode;
}

const steps = new WeakMap<DFA.ReadonlyNode, Letter[]>();

/** The characters that lead on from a state, those that read well first. */
function stepsFrom(node: DFA.ReadonlyNode): Letter[] {
  const known = steps.get(node);
  if (known !== undefined) return known;
  const rank = ({ character }: Letter) => {
    const index = readable.indexOf(character);
    return index < 0 ? readable.length + character : index;
  };
  const found = [...node.out]
    .flatMap(([range, to]) => charactersOf(range, 8).map((character) => ({ character, to })))
    .sort((a, b) => rank(a) - rank(b));
  steps.set(node, found);
  return found;
}
