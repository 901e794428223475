import { type CharRange, combineTransformers, DFA, JS, NFA, type Transformer, Transformers, transform } from "refa";

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
    const applied = transform(
      combineTransformers([
        Transformers.simplify({ ignoreOrder: true }),
        Transformers.applyAssertions({ ignoreOrder: true }),
      ]),
      expression,
      { maxPasses: 20 },
    );
    const nfa = NFA.fromRegex(
      transform(atTheEdge, applied),
      { maxCharacter },
      { assertions: "throw" },
      new NFA.LimitedNodeFactory(maxNodes),
    );
    const dfa = DFA.fromFA(nfa, new DFA.LimitedNodeFactory(maxNodes));
    dfa.minimize();
    return agrees(dfa, new RegExp(source, "u")) ? dfa : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What is left of assertions once they are applied to their neighbours looks beyond the string, where there is nothing: a negated
 * one holds there, any other fails.
 */
const atTheEdge: Transformer = {
  name: "atTheEdge",
  onConcatenation(node, { signalMutation }) {
    const assertions = node.elements.filter((element) => element.type === "Assertion");
    if (assertions.length === 0) return;
    const kept = node.elements.filter((element) => element.type !== "Assertion");
    const dead = assertions.some((assertion) => !assertion.negate);
    const source = node.source === undefined ? {} : { source: node.source };
    node.elements = dead ? [{ type: "Alternation", alternatives: [], ...source }] : kept;
    signalMutation();
  },
};

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
