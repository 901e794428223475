import { ownMember } from "../../schemas/index.ts";
import { formatHolds } from "../formats/check.ts";
import { doubtOf } from "../formats/doubtful-times.ts";
import { languages } from "../formats/language.ts";
import { padFormat } from "../formats/padding.ts";
import { hasNoTextMatching, hasNoTextOfLength } from "../formats/surroundings.ts";
import { formats } from "../formats/table.ts";
import type { Shape } from "../formulas/formula.ts";
import { combine } from "../regex/automaton.ts";
import { guesses } from "../regex/guess.ts";
import { countWords, manyWords, maxWordLength, stateCount } from "../regex/words.ts";
import type { Search } from "./search.ts";
import { scalarFits } from "./shape.ts";

const maxLength = 200_000;

/** The maximum number of doubtful strings that are held back until better ones were tried. */
const maxHeldBack = 100;

/** After this many words of the patterns without an undisputed one, the languages of the formats are tried too. */
const wordsBeforeFormats = 40;

/** The maximum numbers of words that are tried. */
const maxPatternWords = 4000;
const maxFormatWords = 1200;

/** Makes strings that fit a shape, undisputed ones first. */
export function* makeTexts(shape: Shape, hint: unknown, search: Search): Generator<string> {
  const { formats: requiredFormats } = shape.string;
  const isDoubtful = (text: string) => requiredFormats.some((format) => doubtOf(format, text) !== undefined);
  const heldBack: string[] = [];
  for (const text of textsOf(shape, hint, search, isDoubtful))
    if (heldBack.length < maxHeldBack && isDoubtful(text)) heldBack.push(text);
    else yield text;
  yield* heldBack;
}

/** Makes the hint, boundary values of the formats, and words of the patterns, or else plain strings of the shortest length. */
function* textsOf(
  shape: Shape,
  hint: unknown,
  search: Search,
  isDoubtful: (text: string) => boolean,
): Generator<string> {
  const { min, max, patterns, notPatterns, formats: requiredFormats, notFormats } = shape.string;
  const fits = (text: string) => scalarFits(shape, text);
  if (typeof hint === "string" && fits(hint)) yield hint;
  const tables = [
    ...requiredFormats.map((format) => ({ format, rows: ownMember(formats, format)?.valid })),
    ...notFormats.map((format) => ({ format, rows: ownMember(formats, format)?.invalid })),
  ];
  for (const { format, rows } of tables) {
    for (const { value } of rows ?? [])
      for (const text of [value, padFormat(format, value, Math.min(min, maxLength))]) if (fits(text)) yield text;
  }
  // Further values, for lists of many different ones.
  for (let index = 1; index <= 400 && tables.length > 0; index += 1) {
    const text = `${tables[0]?.rows?.[0]?.value ?? ""}${index}`;
    if (fits(text)) yield text;
  }
  if (min > maxLength) search.giveUp(`a string of at least ${min} characters`);
  else if (patterns.length === 0 && notPatterns.length === 0) {
    if (hasNoTextOfLength(requiredFormats, min, max)) return;
    yield* plainTexts(min, max, fits);
    if (requiredFormats.length > 0) yield* textsOfFormats(shape.string, () => [], fits);
    if (max > 0) search.giveUp("a further string");
    // The tables contain only some strings of a format, so running out of them proves nothing.
    if (tables.length > 0) search.giveUp(`a string of ${[...requiredFormats, ...notFormats].join(" and ")}`);
  } else yield* textsOfPatterns(shape, search, { fits, isDoubtful });
}

/** Checks whether a string fits a shape, and whether validators may disagree about it. */
interface TextTests {
  fits(text: string): boolean;
  isDoubtful(text: string): boolean;
}

/** Makes strings of a shape with patterns: words of the patterns that also fit the formats. */
function* textsOfPatterns(shape: Shape, search: Search, { fits, isDoubtful }: TextTests): Generator<string> {
  const { min, max, patterns, notPatterns, formats: requiredFormats, notFormats } = shape.string;
  const sources = (expressions: readonly RegExp[]) => [...new Set(expressions.map((pattern) => pattern.source))].sort();
  const automaton = combine(sources(patterns), sources(notPatterns));
  const description = `a string for ${[...patterns, ...notPatterns].join(" and ")}`;
  if (automaton === undefined) {
    for (const source of sources(patterns)) yield* filterTexts(guesses(source, min), fits);
    yield* filterTexts(plainTexts(min, max, fits), fits);
    return search.giveUp(description);
  }
  const hasNoText = () => hasNoTextMatching(requiredFormats, sources(patterns), sources(notPatterns));
  let triedCount = 0;
  let fittingCount = 0;
  let undisputedCount = 0;
  let disputedCount = 0;
  let firstDisputed: { word: string; format: string } | undefined;
  for (const word of manyWords(automaton, min, max)) {
    if (fits(word)) {
      fittingCount += 1;
      if (!isDoubtful(word)) undisputedCount += 1;
      yield word;
    } else {
      const format = [...requiredFormats, ...notFormats].find((each) => formatHolds(each, word) === undefined);
      if (format !== undefined) disputedCount += 1;
      firstDisputed ??= format === undefined ? undefined : { word, format };
    }
    triedCount += 1;
    // Words of the patterns alone rarely have the format too.
    if (triedCount === wordsBeforeFormats && undisputedCount === 0 && requiredFormats.length > 0) {
      if (fittingCount === 0 && hasNoText()) return;
      yield* textsOfFormats(shape.string, sources, fits);
    }
    if (triedCount > maxPatternWords) break;
  }
  if (triedCount < wordsBeforeFormats && undisputedCount === 0 && requiredFormats.length > 0)
    yield* textsOfFormats(shape.string, sources, fits);
  // In a finite language, every word is shorter than the number of states of the automaton.
  const isWithinWordLimit =
    max <= min + maxWordLength ||
    automaton.isEmpty ||
    (automaton.isFinite && stateCount(automaton) <= min + maxWordLength);
  const isExhaustive =
    triedCount === 0 ? isWithinWordLimit : triedCount === countWords(automaton, min, max, triedCount);
  if ((isExhaustive && firstDisputed === undefined) || (fittingCount === 0 && hasNoText())) return;
  // A string on which validators disagree is neither a value nor excluded.
  const isUndecided = isExhaustive || disputedCount === triedCount;
  const question = `whether ${JSON.stringify(firstDisputed?.word)} is of the format ${firstDisputed?.format}`;
  search.giveUp(
    isUndecided && firstDisputed !== undefined ? `a string: validators differ on ${question}` : description,
  );
}

function* filterTexts(texts: Iterable<string>, fits: (text: string) => boolean): Generator<string> {
  for (const text of texts) if (fits(text)) yield text;
}

/** Makes words that match the patterns and the known languages of the formats. */
function* textsOfFormats(
  { min, max, patterns, notPatterns, formats: requiredFormats }: Shape["string"],
  sources: (expressions: readonly RegExp[]) => string[],
  fits: (text: string) => boolean,
): Generator<string> {
  const formatLanguages = requiredFormats
    .map((format) => ownMember(languages, format))
    .filter((language) => language !== undefined);
  const combinedAutomaton = combine([...sources(patterns), ...formatLanguages].sort(), sources(notPatterns));
  let triedCount = 0;
  for (const word of combinedAutomaton === undefined || formatLanguages.length === 0
    ? []
    : manyWords(combinedAutomaton, min, max)) {
    if (fits(word)) yield word;
    triedCount += 1;
    if (triedCount > maxFormatWords) return;
  }
}

function* plainTexts(min: number, max: number, fits: (text: string) => boolean): Generator<string> {
  const letters = "abcdefghijklmnopqrstuvwxyz";
  for (let length = min; length <= Math.min(max, min + 4); length += 1) {
    for (const letter of length === 0 ? "a" : letters) {
      const text = letter.repeat(length);
      if (fits(text)) yield text;
    }
  }
  // Further strings, for lists of many different ones.
  for (let number = 0; number < 1000; number += 1) {
    const text = String(number).padStart(min, "a");
    if (fits(text)) yield text;
  }
  // There are only few short strings of letters and digits, so strings with other characters follow.
  for (let code = firstForeign; max < 3 && code < firstForeign + maxForeign; code += 1) {
    const text = String.fromCodePoint(code).padStart(min, "a");
    if (fits(text)) yield text;
  }
}

/** The first of many consecutive characters of another script (CJK), and the number of them that are used. */
const firstForeign = 0x4e00;
const maxForeign = 1000;
