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
 * Returns the set of strings that a pattern matches as JSON Schema uses it: anywhere in the string (ECMA-262, flag `u`). Undefined if the language is
 * not regular (back-references) or the automaton is too large.
 */
export function automatonOf(source: string): Automaton | undefined {
  if (!cache.has(source)) cache.set(source, buildAutomaton(source));
  return cache.get(source);
}

/** Longer patterns are lists of thousands of words, for which automata do not help. */
const maxCharacters = 50_000;

function buildAutomaton(source: string): Automaton | undefined {
  if (source.length > maxCharacters) return undefined;
  try {
    const parser = JS.Parser.fromLiteral({ source: `[^]*(?:${source})[^]*`, flags: "u" });
    const { expression, maxCharacter } = parser.parse({ assertions: "parse", backreferences: "throw" });
    const [anywhere] = JS.Parser.fromLiteral({ source: "[^]*", flags: "u" }).parse().expression.alternatives;
    const alphabet: ParserAlphabet = { maxCharacter, anything: anywhere?.elements[0] as ElementPart };
    let alternatives: Sequence[] = expression.alternatives;
    // Each pass applies the assertions to their neighbours. Splitting choices into sequences gives them neighbours.
    for (let pass = 0; pass < 3; pass += 1) {
      const transformed = transform(expandTransformer, { type: "Expression", alternatives }, { maxPasses: 20 });
      alternatives = transformed.alternatives.flatMap(sequencesOf);
    }
    const languages = alternatives.map(({ elements }) =>
      languageOf(elements, alphabet, { beginsText: true, endsText: true }),
    );
    const dfa = uniteAutomata(languages, alphabet);
    return agreesWithEngine(dfa, guardPattern(new RegExp(source, "u"), "throw")) ? dfa : undefined;
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

/** Splits a sequence so that no choice contains an assertion: one sequence for each path. */
function sequencesOf(concatenation: Sequence): Sequence[] {
  let sequences: ElementPart[][] = [[]];
  for (const element of concatenation.elements) {
    const paths = pathsThrough(element);
    sequences = sequences.flatMap((before) => paths.map((path) => [...before, ...path]));
    if (sequences.length > maxAlternatives) throw new Error("too many ways");
  }
  // Transforming changes nodes in place, so two sequences must not share a node.
  return sequences.map((elements) => ({ type: "Concatenation", elements: elements.map(copyNode) }));
}

/** Lists the paths through an element: several if it contains an assertion and is a choice or an optional part. */
function pathsThrough(element: ElementPart): ElementPart[][] {
  const isOnce = element.type === "Quantifier" && element.max === 1;
  if (!(isOnce || element.type === "Alternation") || !hasAssertion(element)) return [[element]];
  const paths = element.alternatives.flatMap(sequencesOf).map(({ elements }) => elements);
  return isOnce && element.min === 0 ? [...paths, []] : paths;
}

function hasAssertion(node: NoParent<Node>): boolean {
  if (node.type === "Assertion") return true;
  if (node.type === "Concatenation") return node.elements.some(hasAssertion);
  return "alternatives" in node && node.alternatives.some(hasAssertion);
}

function copyNode<T extends NoParent<Node>>(node: T): T {
  if (node.type === "Concatenation") return { ...node, elements: node.elements.map(copyNode) };
  return "alternatives" in node ? { ...node, alternatives: node.alternatives.map(copyNode) } : { ...node };
}

/**
 * Returns the strings that a sequence matches from one end to the other. An assertion narrows the part before or after it. It is supported only if
 * that part extends to the start or end of the string.
 */
function languageOf(
  elements: readonly ElementPart[],
  alphabet: ParserAlphabet,
  { beginsText, endsText }: { beginsText: boolean; endsText: boolean },
): DFA {
  let before = minimizeAutomaton(NFA.emptyWord(alphabet));
  let plainElements: ElementPart[] = [];
  const appendPlain = () => {
    if (plainElements.length === 0) return;
    const regex: Sequence = { type: "Concatenation", elements: plainElements };
    before = joinAutomata(
      before,
      minimizeAutomaton(NFA.fromRegex(regex, alphabet, { assertions: "throw" }, limitedStates())),
    );
    plainElements = [];
  };
  for (const [index, element] of elements.entries()) {
    if (element.type !== "Assertion") {
      plainElements.push(element);
      continue;
    }
    appendPlain();
    const isAhead = element.kind === "ahead";
    if (!(isAhead ? endsText : beginsText)) throw new Error("an assertion about unknown neighbours");
    const fitting = element.alternatives.flatMap(sequencesOf).map(({ elements: inner }) => {
      const wholeText = isAhead ? [...inner, alphabet.anything] : [alphabet.anything, ...inner];
      return languageOf(wholeText, alphabet, { beginsText: !isAhead, endsText: isAhead });
    });
    const assertedLanguage = uniteAutomata(fitting, alphabet);
    if (element.negate) assertedLanguage.complement();
    if (isAhead) {
      const rest = languageOf(elements.slice(index + 1), alphabet, { beginsText: false, endsText: true });
      return joinAutomata(before, intersectAutomata(assertedLanguage, rest));
    }
    before = intersectAutomata(before, assertedLanguage);
  }
  appendPlain();
  return before;
}

const limitedStates = (): NodeFactory<NFA.Node> => new NFA.LimitedNodeFactory(maxNodes);

function minimizeAutomaton(nfa: NFA): DFA {
  const dfa = DFA.fromFA(nfa, new DFA.LimitedNodeFactory(maxNodes));
  dfa.minimize();
  return dfa;
}

function joinAutomata(first: DFA, second: DFA): DFA {
  if (isEmptyWord(first)) return second;
  if (isEmptyWord(second)) return first;
  const nfa = NFA.fromFA(first, limitedStates());
  nfa.append(second, limitedStates());
  return minimizeAutomaton(nfa);
}

/** Whether a minimal automaton accepts the empty string alone. */
function isEmptyWord({ initial, finals }: DFA): boolean {
  return finals.has(initial) && initial.out.isEmpty;
}

function intersectAutomata(first: DFA, second: DFA): DFA {
  const dfa = DFA.fromIntersection(first, second, new DFA.LimitedNodeFactory(maxNodes));
  dfa.minimize();
  return dfa;
}

function uniteAutomata(automata: readonly DFA[], options: NFA.Options): DFA {
  const [first, ...others] = automata;
  if (first !== undefined && others.length === 0) return first;
  const nfa = NFA.empty(options);
  for (const automaton of automata) nfa.union(automaton, limitedStates());
  return minimizeAutomaton(nfa);
}

/** The number of accepted and of refused words on which an automaton is compared with the engine. */
const maxSamples = 60;

/** Whether an automaton agrees with the engine's own regular expression on all samples. */
function agreesWithEngine(automaton: Automaton, pattern: RegExp): boolean {
  const complementary = automaton.copy();
  complementary.complement();
  const differs = (word: string, expected: boolean) => {
    try {
      return pattern.test(word) !== expected;
    } catch {
      // The engine may never finish on this sample, so it is skipped.
      return false;
    }
  };
  const checkSample = (words: Iterable<string>, expected: boolean) => {
    let remaining = maxSamples;
    for (const word of words) {
      if (differs(word, expected)) return false;
      remaining -= 1;
      if (remaining === 0) break;
    }
    return true;
  };
  return checkSample(words(automaton, 0, 40), true) && checkSample(words(complementary, 0, 40), false);
}

/** Computes the strings in all of `include` and in none of `exclude`; undefined when one of them has no automaton. */
export function combine(include: readonly string[], exclude: readonly string[]): Automaton | undefined {
  const key = JSON.stringify([include, exclude]);
  if (!cache.has(key)) cache.set(key, combinePatterns(include, exclude));
  return cache.get(key);
}

/** Combines all patterns but the last first, because other combinations share that part. */
function combinePatterns(include: readonly string[], exclude: readonly string[]): Automaton | undefined {
  const last = exclude.at(-1);
  if (last === undefined && include.length === 0) return automatonOf("");
  const lastAutomaton = last === undefined ? automatonOf(include.at(-1) as string) : complement(automatonOf(last));
  // One pattern needs no intersection.
  if (include.length + exclude.length === 1) return lastAutomaton;
  const before = last === undefined ? combine(include.slice(0, -1), []) : combine(include, exclude.slice(0, -1));
  try {
    return before === undefined || lastAutomaton === undefined ? undefined : intersectAutomata(before, lastAutomaton);
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
