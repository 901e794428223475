import {
  type CharRange,
  type Concatenation,
  combineTransformers,
  DFA,
  type Element,
  JS,
  NFA,
  type Node,
  type NodeFactory,
  type NoParent,
  type Transformer,
  Transformers,
  transform,
} from "refa";

/** A deterministic automaton over Unicode code points, minimal. */
export type Automaton = DFA;

const maxNodes = 20_000;
const cache = new Map<string, Automaton | undefined>();
const creation = { maxNodes };

/**
 * The set of strings that a pattern matches as JSON Schema uses it: somewhere in the string (ECMA-262, flag `u`).
 * Undefined when the pattern is beyond regular languages (back-references) or its automaton too large.
 */
export function automatonOf(source: string): Automaton | undefined {
  if (!cache.has(source)) cache.set(source, build(source));
  return cache.get(source);
}

function build(source: string): Automaton | undefined {
  try {
    const parser = JS.Parser.fromLiteral({ source: `[^]*(?:${source})[^]*`, flags: "u" });
    const { expression, maxCharacter } = parser.parse({ assertions: "parse", backreferences: "throw" });
    const [anywhere] = JS.Parser.fromLiteral({ source: "[^]*", flags: "u" }).parse().expression.alternatives;
    const alphabet: Alphabet = { maxCharacter, anything: anywhere?.elements[0] as Part };
    let alternatives: Sequence[] = expression.alternatives;
    // Each pass applies the assertions to their neighbours; taking choices apart gives them neighbours.
    for (let pass = 0; pass < 3; pass += 1) {
      const applied = transform(applying, { type: "Expression", alternatives }, { maxPasses: 20 });
      alternatives = applied.alternatives.flatMap(flat);
    }
    const ways = alternatives.map(({ elements }) => language(elements, alphabet, true, true));
    const dfa = union(ways, alphabet);
    return agrees(dfa, new RegExp(source, "u")) ? dfa : undefined;
  } catch {
    return undefined;
  }
}

type Sequence = NoParent<Concatenation>;
type Part = NoParent<Element>;
interface Alphabet extends NFA.Options {
  /** Any number of any characters, as the parser has it. */
  anything: Part;
}

const applying: Transformer = combineTransformers([
  Transformers.simplify({ ignoreOrder: true }),
  Transformers.applyAssertions({ ignoreOrder: true }),
]);
const mostAlternatives = 300;

/** The same without choices that hold assertions: every way through them on its own. */
function flat(concatenation: Sequence): Sequence[] {
  let found: Part[][] = [[]];
  for (const element of concatenation.elements) {
    const isOpen = element.type === "Alternation" && hasAssertion(element);
    const ways = isOpen ? element.alternatives.flatMap(flat).map(({ elements }) => elements) : [[element]];
    found = found.flatMap((before) => ways.map((way) => [...before, ...way]));
    if (found.length > mostAlternatives) throw new Error("too many ways");
  }
  // Transforming changes nodes in place, so that no two ways may share one.
  return found.map((elements) => ({ type: "Concatenation", elements: elements.map(copy) }));
}

function hasAssertion(node: NoParent<Node>): boolean {
  if (node.type === "Assertion") return true;
  if (node.type === "Concatenation") return node.elements.some(hasAssertion);
  return "alternatives" in node && node.alternatives.some(hasAssertion);
}

function copy<T extends NoParent<Node>>(node: T): T {
  if (node.type === "Concatenation") return { ...node, elements: node.elements.map(copy) };
  return "alternatives" in node ? { ...node, alternatives: node.alternatives.map(copy) } : { ...node };
}

/**
 * The strings that a sequence matches from one end to the other. An assertion narrows what stands before it, or what comes after it;
 * it is only understood where the sequence begins or ends with the string, so that nothing lies beyond.
 */
function language(elements: readonly Part[], size: Alphabet, begins: boolean, ends: boolean): DFA {
  let before = minimal(NFA.emptyWord(size));
  let plain: Part[] = [];
  const close = () => {
    const regex: Sequence = { type: "Concatenation", elements: plain };
    before = joined(before, minimal(NFA.fromRegex(regex, size, { assertions: "throw" }, states())));
    plain = [];
  };
  for (const [index, element] of elements.entries()) {
    if (element.type !== "Assertion") {
      plain.push(element);
      continue;
    }
    close();
    const isAhead = element.kind === "ahead";
    if (!(isAhead ? ends : begins)) throw new Error("an assertion on what is not known");
    const fitting = element.alternatives.flatMap(flat).map(({ elements: inner }) => {
      const around = isAhead ? [...inner, size.anything] : [size.anything, ...inner];
      return language(around, size, !isAhead, isAhead);
    });
    const narrowed = union(fitting, size);
    if (element.negate) narrowed.complement();
    if (isAhead) return joined(before, both(narrowed, language(elements.slice(index + 1), size, false, true)));
    before = both(before, narrowed);
  }
  close();
  return before;
}

const states = (): NodeFactory<NFA.Node> => new NFA.LimitedNodeFactory(maxNodes);

function minimal(nfa: NFA): DFA {
  const dfa = DFA.fromFA(nfa, new DFA.LimitedNodeFactory(maxNodes));
  dfa.minimize();
  return dfa;
}

function joined(before: DFA, after: DFA): DFA {
  const nfa = NFA.fromFA(before, states());
  nfa.append(after, states());
  return minimal(nfa);
}

function both(one: DFA, other: DFA): DFA {
  const dfa = DFA.fromIntersection(one, other, new DFA.LimitedNodeFactory(maxNodes));
  dfa.minimize();
  return dfa;
}

function union(all: readonly DFA[], size: NFA.Options): DFA {
  const nfa = NFA.empty(size);
  for (const each of all) nfa.union(each, states());
  return minimal(nfa);
}

/** The engine's own regular expressions have the last word: an automaton that differs on any sample is not used. */
function agrees(automaton: Automaton, pattern: RegExp): boolean {
  const outside = automaton.copy();
  outside.complement();
  const sample = (words: Iterable<string>, expected: boolean) => {
    let left = 60;
    for (const word of words) {
      if (pattern.test(word) !== expected) return false;
      left -= 1;
      if (left === 0) break;
    }
    return true;
  };
  return sample(words(automaton, 0, 40), true) && sample(words(outside, 0, 40), false);
}

/** The strings in all of `include` and in none of `exclude`; undefined when one of them has no automaton. */
export function combine(include: readonly string[], exclude: readonly string[]): Automaton | undefined {
  const key = JSON.stringify([include, exclude]);
  if (cache.has(key)) return cache.get(key);
  let all: Automaton | undefined = automatonOf("");
  const parts = [...include.map(automatonOf), ...exclude.map((source) => complement(automatonOf(source)))];
  try {
    for (const part of parts) {
      if (part === undefined || all === undefined) all = undefined;
      else {
        all = DFA.fromIntersection(all, part, new DFA.LimitedNodeFactory(creation.maxNodes));
        all.minimize();
      }
    }
  } catch {
    all = undefined;
  }
  cache.set(key, all);
  return all;
}

function complement(automaton: Automaton | undefined): Automaton | undefined {
  if (automaton === undefined) return undefined;
  const copy = automaton.copy();
  copy.complement();
  copy.minimize();
  return copy;
}

/** Characters that read well, best first; others only where none of these fits. */
const tasteful = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./: +@,;!"].map(
  (character) => character.codePointAt(0) as number,
);

/** A few characters of a range, tasteful ones first, never a surrogate. */
function charactersOf({ min, max }: CharRange, limit: number): number[] {
  const found = tasteful.filter((character) => character >= min && character <= max).slice(0, limit);
  for (let code = min; found.length === 0 && code <= max; code = code === 0xd7ff ? 0xe000 : code + 1) {
    if (code < 0xd800 || code > 0xdfff) found.push(code);
  }
  return found;
}

export function stateCount(automaton: Automaton): number {
  return [...automaton.nodes()].length;
}

/** How many lengths beyond the shortest wanted one are looked at. */
export const horizon = 400;

/** Strings of the automaton with `min` to `max` code points, shortest first, some of each length. */
export function* words(automaton: Automaton, min: number, max: number): Generator<string> {
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
    let given = 0;
    for (const word of ofLength(automaton.initial, length, finishes, "")) {
      yield word;
      given += 1;
      if (given >= 24) break;
    }
  }
}

function* ofLength(
  node: DFA.ReadonlyNode,
  left: number,
  finishes: readonly Set<DFA.ReadonlyNode>[],
  text: string,
): Generator<string> {
  if (left === 0) {
    yield text;
    return;
  }
  const ways = [...node.out].filter(([, to]) => (finishes[left - 1] as Set<DFA.ReadonlyNode>).has(to));
  const choices = ways.flatMap(([range, to]) => charactersOf(range, 8).map((character) => ({ character, to })));
  const rank = ({ character }: { character: number }) => {
    const index = tasteful.indexOf(character);
    return index < 0 ? tasteful.length + character : index;
  };
  for (const { character, to } of choices.sort((a, b) => rank(a) - rank(b))) {
    yield* ofLength(to, left - 1, finishes, text + String.fromCodePoint(character));
  }
}
