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

/** The number of doubtful texts that wait for better ones. */
const maxWaiting = 100;

/** Strings of a shape: undisputed ones first. */
export function* texts(shape: Shape, hint: unknown, search: Search): Generator<string> {
  const { formats: wanted } = shape.string;
  const isDoubtful = (text: string) => wanted.some((format) => doubtOf(format, text) !== undefined);
  const waiting: string[] = [];
  for (const text of textsOf(shape, hint, search, isDoubtful))
    if (waiting.length < maxWaiting && isDoubtful(text)) waiting.push(text);
    else yield text;
  yield* waiting;
}

/** The hint, boundary values of the formats, words of the patterns, otherwise plain text of the shortest length. */
function* textsOf(
  shape: Shape,
  hint: unknown,
  search: Search,
  isDoubtful: (text: string) => boolean,
): Generator<string> {
  const { min, max, patterns, notPatterns, formats: wanted, notFormats } = shape.string;
  const fits = (text: string) => scalarFits(shape, text);
  if (typeof hint === "string" && fits(hint)) yield hint;
  const tables = [
    ...wanted.map((format) => ({ format, rows: ownMember(formats, format)?.valid })),
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
    if (hasNoTextOfLength(wanted, min, max)) return;
    yield* plainTexts(min, max, fits);
    if (wanted.length > 0) yield* ofFormats(shape.string, () => [], fits);
    if (max > 0) search.giveUp("a further string");
    // Only the tables make values of a format, so running out of them does not prove that there are none.
    if (tables.length > 0) search.giveUp(`a string of ${[...wanted, ...notFormats].join(" and ")}`);
  } else yield* textsOfPatterns(shape, search, { fits, isDoubtful });
}

/** Checks whether a text has a shape, and whether validators may disagree about it. */
interface TextTests {
  fits(text: string): boolean;
  isDoubtful(text: string): boolean;
}

/** Strings of a shape with patterns: words that the patterns allow, if they have its formats too. */
function* textsOfPatterns(shape: Shape, search: Search, { fits, isDoubtful }: TextTests): Generator<string> {
  const { min, max, patterns, notPatterns, formats: wanted, notFormats } = shape.string;
  const sources = (all: readonly RegExp[]) => [...new Set(all.map((pattern) => pattern.source))].sort();
  const automaton = combine(sources(patterns), sources(notPatterns));
  const what = `a string for ${[...patterns, ...notPatterns].join(" and ")}`;
  if (automaton === undefined) {
    for (const source of sources(patterns)) yield* filterTexts(guesses(source, min), fits);
    yield* filterTexts(plainTexts(min, max, fits), fits);
    return search.giveUp(what);
  }
  const isNone = () => hasNoTextMatching(wanted, sources(patterns), sources(notPatterns));
  let tried = 0;
  let found = 0;
  let certain = 0;
  let disputed = 0;
  let first: { word: string; format: string } | undefined;
  for (const word of manyWords(automaton, min, max)) {
    if (fits(word)) {
      found += 1;
      if (!isDoubtful(word)) certain += 1;
      yield word;
    } else {
      const format = [...wanted, ...notFormats].find((each) => formatHolds(each, word) === undefined);
      if (format !== undefined) disputed += 1;
      first ??= format === undefined ? undefined : { word, format };
    }
    tried += 1;
    // Words of the patterns alone are seldom of the format too.
    if (tried === 40 && certain === 0 && wanted.length > 0) {
      if (found === 0 && isNone()) return;
      yield* ofFormats(shape.string, sources, fits);
    }
    if (tried > 4000) break;
  }
  if (tried < 40 && certain === 0 && wanted.length > 0) yield* ofFormats(shape.string, sources, fits);
  // A finite language has no word as long as its automaton has states.
  const seen =
    max <= min + maxWordLength ||
    automaton.isEmpty ||
    (automaton.isFinite && stateCount(automaton) <= min + maxWordLength);
  const isAll = tried === 0 ? seen : tried === countWords(automaton, min, max, tried);
  if ((isAll && first === undefined) || (found === 0 && isNone())) return;
  // A text that one validator accepts and another refuses is neither found nor excluded.
  const isOpen = isAll || disputed === tried;
  const over = `whether ${JSON.stringify(first?.word)} is of the format ${first?.format}`;
  search.giveUp(isOpen && first !== undefined ? `a string: validators differ on ${over}` : what);
}

function* filterTexts(texts: Iterable<string>, fits: (text: string) => boolean): Generator<string> {
  for (const text of texts) if (fits(text)) yield text;
}

/** Words of the patterns and of the known parts of the formats. */
function* ofFormats(
  { min, max, patterns, notPatterns, formats: wanted }: Shape["string"],
  sources: (all: readonly RegExp[]) => string[],
  fits: (text: string) => boolean,
): Generator<string> {
  const known = wanted.map((format) => ownMember(languages, format)).filter((language) => language !== undefined);
  const both = combine([...sources(patterns), ...known].sort(), sources(notPatterns));
  let tried = 0;
  for (const word of both === undefined || known.length === 0 ? [] : manyWords(both, min, max)) {
    if (fits(word)) yield word;
    tried += 1;
    if (tried > 1200) return;
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
  // Further texts, for lists of many different ones.
  for (let number = 0; number < 1000; number += 1) {
    const text = String(number).padStart(min, "a");
    if (fits(text)) yield text;
  }
  // There are few short ones of letters and digits, and many of all characters.
  for (let code = firstForeign; max < 3 && code < firstForeign + maxForeign; code += 1) {
    const text = String.fromCodePoint(code).padStart(min, "a");
    if (fits(text)) yield text;
  }
}

/** Characters of other alphabets, from a stretch of them without gaps. */
const firstForeign = 0x4e00;
const maxForeign = 1000;
