import { type AST, RegExpParser, visitRegExpAST } from "@eslint-community/regexpp";
import { stepsOf } from "./backtrack.ts";

/** The number of steps that every engine performs in almost no time. */
const maxSteps = (text: string): number => 20_000 + 10 * text.length;

/** The result of a search that may never end: an error, or "does not match". */
export type Fate = "throw" | "refuse";

/**
 * Changes a regular expression so that it does not search a string on which it might never end. A search with nested or successive repetitions
 * may try too many combinations, so its steps are counted first.
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
  /** Length of the shortest explosive string. */
  shortest: number;
}

const factsOfPattern = new Map<string, PatternFacts>();

/** After this many explosive strings, all strings of the same length count as explosive, because counting is slow too. */
const maxExplosive = 500;

/** The cached results of a pattern are dropped when there are this many. */
const maxCachedTexts = 2000;

/** Whether a backtracking engine may never finish searching this string. */
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
    if (entry.texts.size >= maxCachedTexts) entry.texts.clear();
    entry.texts.set(text, answer);
  }
  return answer;
}

const suspiciousSources = new Map<string, boolean>();

/** Whether the pattern has nested repetitions, or three long ones. Any other pattern needs at most the square of the string's length. */
function isSuspicious(source: string): boolean {
  const cached = suspiciousSources.get(source);
  if (cached !== undefined) return cached;
  const answer = /[*+}]/.test(source) && inspectSource(source);
  suspiciousSources.set(source, answer);
  return answer;
}

function inspectSource(source: string): boolean {
  let longRepetitions = 0;
  let hasNesting = false;
  const enterGroup = (node: AST.Group | AST.CapturingGroup) => {
    if (node.alternatives.length > 1 && isRepeated(node)) hasNesting = true;
  };
  visitRegExpAST(new RegExpParser().parsePattern(source, 0, source.length, { unicode: true }), {
    onQuantifierEnter(quantifier) {
      const { min, max } = quantifier;
      if (max !== min && isRepeated(quantifier)) hasNesting = true;
      if (max !== min && max > 20) longRepetitions += 1;
    },
    onGroupEnter: enterGroup,
    onCapturingGroupEnter: enterGroup,
  });
  return hasNesting || longRepetitions >= 3;
}

function isRepeated(node: AST.Node): boolean {
  for (let ancestor = node.parent; ancestor !== null; ancestor = ancestor.parent)
    if (ancestor.type === "Quantifier" && ancestor.max > 1) return true;
  return false;
}
