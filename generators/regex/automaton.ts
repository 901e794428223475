import {
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
import { guardPattern } from "./guard.ts";
import { words } from "./words.ts";

/** A deterministic automaton over Unicode code points, minimal. */
export type Automaton = DFA;

const maxNodes = 20_000;
const cache = new Map<string, Automaton | undefined>();

/**
 * The set of strings that a pattern matches as JSON Schema uses it: somewhere in the string (ECMA-262, flag `u`).
 * Undefined when the pattern is beyond regular languages (back-references) or its automaton too large.
 */
export function automatonOf(source: string): Automaton | undefined {
  if (!cache.has(source)) cache.set(source, build(source));
  return cache.get(source);
}

/** Longer patterns are lists of thousands of words, for which automata do not help. */
const maxCharacters = 50_000;

function build(source: string): Automaton | undefined {
  if (source.length > maxCharacters) return undefined;
  try {
    const parser = JS.Parser.fromLiteral({ source: `[^]*(?:${source})[^]*`, flags: "u" });
    const { expression, maxCharacter } = parser.parse({ assertions: "parse", backreferences: "throw" });
    const [anywhere] = JS.Parser.fromLiteral({ source: "[^]*", flags: "u" }).parse().expression.alternatives;
    const alphabet: ParserAlphabet = { maxCharacter, anything: anywhere?.elements[0] as ElementPart };
    let alternatives: Sequence[] = expression.alternatives;
    // Each pass applies the assertions to their neighbours; taking choices apart gives them neighbours.
    for (let pass = 0; pass < 3; pass += 1) {
      const applied = transform(expandTransformer, { type: "Expression", alternatives }, { maxPasses: 20 });
      alternatives = applied.alternatives.flatMap(flattenSequences);
    }
    const ways = alternatives.map(({ elements }) => language(elements, alphabet, true, true));
    const dfa = union(ways, alphabet);
    return agrees(dfa, guardPattern(new RegExp(source, "u"), "throw")) ? dfa : undefined;
  } catch {
    return undefined;
  }
}

type Sequence = NoParent<Concatenation>;
type ElementPart = NoParent<Element>;
interface ParserAlphabet extends NFA.Options {
  /** Any number of any characters, in the parser's form. */
  anything: ElementPart;
}

const expandTransformer: Transformer = combineTransformers([
  Transformers.simplify({ ignoreOrder: true }),
  Transformers.applyAssertions({ ignoreOrder: true }),
]);
const maxAlternatives = 300;

/** The pattern without choices that contain assertions: each way through them separately. */
function flattenSequences(concatenation: Sequence): Sequence[] {
  let found: ElementPart[][] = [[]];
  for (const element of concatenation.elements) {
    const ways = waysThrough(element);
    found = found.flatMap((before) => ways.map((way) => [...before, ...way]));
    if (found.length > maxAlternatives) throw new Error("too many ways");
  }
  // Transforming changes nodes in place, so two ways must not share a node.
  return found.map((elements) => ({ type: "Concatenation", elements: elements.map(copy) }));
}

/** One way for each choice if it contains an assertion, and for each optional part. */
function waysThrough(element: ElementPart): ElementPart[][] {
  const isOnce = element.type === "Quantifier" && element.max === 1;
  if (!(isOnce || element.type === "Alternation") || !hasAssertion(element)) return [[element]];
  const taken = element.alternatives.flatMap(flattenSequences).map(({ elements }) => elements);
  return isOnce && element.min === 0 ? [...taken, []] : taken;
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
 * The strings that a sequence matches from one end to the other. An assertion narrows the part before or after it; it is only
 * understood if the sequence begins or ends with the string, so that nothing lies beyond.
 */
function language(elements: readonly ElementPart[], size: ParserAlphabet, begins: boolean, ends: boolean): DFA {
  let before = minimizeAutomaton(NFA.emptyWord(size));
  let plain: ElementPart[] = [];
  const close = () => {
    if (plain.length === 0) return;
    const regex: Sequence = { type: "Concatenation", elements: plain };
    before = joinAutomata(before, minimizeAutomaton(NFA.fromRegex(regex, size, { assertions: "throw" }, states())));
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
    const fitting = element.alternatives.flatMap(flattenSequences).map(({ elements: inner }) => {
      const around = isAhead ? [...inner, size.anything] : [size.anything, ...inner];
      return language(around, size, !isAhead, isAhead);
    });
    const narrowed = union(fitting, size);
    if (element.negate) narrowed.complement();
    if (isAhead)
      return joinAutomata(before, intersectAutomata(narrowed, language(elements.slice(index + 1), size, false, true)));
    before = intersectAutomata(before, narrowed);
  }
  close();
  return before;
}

const states = (): NodeFactory<NFA.Node> => new NFA.LimitedNodeFactory(maxNodes);

function minimizeAutomaton(nfa: NFA): DFA {
  const dfa = DFA.fromFA(nfa, new DFA.LimitedNodeFactory(maxNodes));
  dfa.minimize();
  return dfa;
}

function joinAutomata(before: DFA, after: DFA): DFA {
  if (isEmptyWord(before)) return after;
  if (isEmptyWord(after)) return before;
  const nfa = NFA.fromFA(before, states());
  nfa.append(after, states());
  return minimizeAutomaton(nfa);
}

/** Whether a minimal automaton accepts the empty string alone. */
function isEmptyWord({ initial, finals }: DFA): boolean {
  return finals.has(initial) && initial.out.isEmpty;
}

function intersectAutomata(one: DFA, other: DFA): DFA {
  const dfa = DFA.fromIntersection(one, other, new DFA.LimitedNodeFactory(maxNodes));
  dfa.minimize();
  return dfa;
}

function union(all: readonly DFA[], size: NFA.Options): DFA {
  const [only, ...others] = all;
  if (only !== undefined && others.length === 0) return only;
  const nfa = NFA.empty(size);
  for (const each of all) nfa.union(each, states());
  return minimizeAutomaton(nfa);
}

/** The engine's own regular expressions decide: an automaton that differs on any sample is not used. */
function agrees(automaton: Automaton, pattern: RegExp): boolean {
  const outside = automaton.copy();
  outside.complement();
  const differs = (word: string, expected: boolean) => {
    try {
      return pattern.test(word) !== expected;
    } catch {
      // The engine may never finish on this sample, so others decide.
      return false;
    }
  };
  const sample = (words: Iterable<string>, expected: boolean) => {
    let left = 60;
    for (const word of words) {
      if (differs(word, expected)) return false;
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
  if (!cache.has(key)) cache.set(key, combinePatterns(include, exclude));
  return cache.get(key);
}

/** All but the last part first: others ask for these too. */
function combinePatterns(include: readonly string[], exclude: readonly string[]): Automaton | undefined {
  const last = exclude.at(-1);
  if (last === undefined && include.length === 0) return automatonOf("");
  const part = last === undefined ? automatonOf(include.at(-1) as string) : complement(automatonOf(last));
  // One pattern needs no intersection.
  if (include.length + exclude.length === 1) return part;
  const before = last === undefined ? combine(include.slice(0, -1), []) : combine(include, exclude.slice(0, -1));
  try {
    return before === undefined || part === undefined ? undefined : intersectAutomata(before, part);
  } catch {
    return undefined;
  }
}

function complement(automaton: Automaton | undefined): Automaton | undefined {
  if (automaton === undefined) return undefined;
  const copy = automaton.copy();
  copy.complement();
  copy.minimize();
  return copy;
}
