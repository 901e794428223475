import { type AST, RegExpParser, visitRegExpAST } from "@eslint-community/regexpp";
import { stepsOf } from "./backtrack.ts";

/** The number of steps that every engine does in almost no time. */
const maxSteps = (text: string): number => 20_000 + 10 * text.length;

/** The result of a search that may never end: a failure, or "does not match". */
export type Fate = "throw" | "refuse";

/**
 * The same regular expression, which from now on does not search a text on which it might never end. Repetitions within repetitions,
 * and many in a row, can be tried in more ways than there is time for; before such a pattern runs, the ways are counted.
 */
export function guardPattern(pattern: RegExp, fate: Fate): RegExp {
  const { source } = pattern;
  if (!isSuspicious(source)) return pattern;
  const test = RegExp.prototype.test.bind(pattern);
  pattern.test = (text) => {
    if (!isExplosive(source, text)) return test(text);
    if (fate === "throw") throw new RangeError(`${source} may take for ever on a text of ${text.length} characters`);
    return false;
  };
  return pattern;
}

interface PatternFacts {
  steps: ReturnType<typeof stepsOf>;
  texts: Map<string, boolean>;
  explosive: number;
  /** Length of the shortest explosive text. */
  shortest: number;
}

const factsOfPattern = new Map<string, PatternFacts>();

/** After this many explosive texts, all texts of the same length count as explosive, because counting is slow too. */
const maxExplosive = 500;

/** Whether a backtracking engine may never finish searching this text. */
export function isExplosive(source: string, text: string): boolean {
  const entry: PatternFacts = factsOfPattern.get(source) ?? {
    steps: stepsOf(source),
    texts: new Map(),
    explosive: 0,
    shortest: Infinity,
  };
  factsOfPattern.set(source, entry);
  let answer = entry.texts.get(text);
  if (answer === undefined) {
    const isBeyondCounting = entry.explosive >= maxExplosive && text.length >= entry.shortest;
    answer = isBeyondCounting || entry.steps(text, maxSteps(text)) === undefined;
    if (answer) {
      entry.explosive += 1;
      entry.shortest = Math.min(entry.shortest, text.length);
    }
    if (entry.texts.size >= 2000) entry.texts.clear();
    entry.texts.set(text, answer);
  }
  return answer;
}

const suspicion = new Map<string, boolean>();

/** Whether the pattern has repetitions within repetitions, or three long ones: no others can need more than the square of the length. */
function isSuspicious(source: string): boolean {
  const before = suspicion.get(source);
  if (before !== undefined) return before;
  const answer = /[*+}]/.test(source) && inspectSource(source);
  suspicion.set(source, answer);
  return answer;
}

function inspectSource(source: string): boolean {
  let long = 0;
  let nested = false;
  const group = (node: AST.Group | AST.CapturingGroup) => {
    if (node.alternatives.length > 1 && isRepeated(node)) nested = true;
  };
  visitRegExpAST(new RegExpParser().parsePattern(source, 0, source.length, { unicode: true }), {
    onQuantifierEnter(quantifier) {
      const { min, max } = quantifier;
      if (max !== min && isRepeated(quantifier)) nested = true;
      if (max !== min && max > 20) long += 1;
    },
    onGroupEnter: group,
    onCapturingGroupEnter: group,
  });
  return nested || long >= 3;
}

function isRepeated(node: AST.Node): boolean {
  for (let above = node.parent; above !== null; above = above.parent)
    if (above.type === "Quantifier" && above.max > 1) return true;
  return false;
}
