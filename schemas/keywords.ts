import { distance } from "fastest-levenshtein";
import { type Dialect, dialects } from "./dialect.ts";
import { stepsBetween } from "./nearest-name.ts";
import { ownWords } from "./own-words.ts";

/** Keywords without subschemas, by the draft that introduced them. */
const introducedKeywords: Readonly<Record<string, string>> = {
  "draft-04":
    "$schema title description default type enum multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems maxProperties minProperties required format",
  "draft-06": "const examples",
  "draft-07": "$comment readOnly writeOnly contentMediaType contentEncoding",
  "2019-09": "$vocabulary deprecated minContains maxContains dependentRequired",
};

/** Cached, because every name in a large schema is looked up. */
const keywordsOfDialects = new WeakMap<Dialect, ReadonlySet<string>>();

/** Every keyword of a dialect. */
export function keywordsOf(dialect: Dialect): ReadonlySet<string> {
  const keywords = keywordsOfDialects.get(dialect) ?? keywordsIn(dialect);
  keywordsOfDialects.set(dialect, keywords);
  return keywords;
}

function keywordsIn(dialect: Dialect): Set<string> {
  const { id, anchors, references, single, list, map } = dialect;
  const upToDialect = dialects.slice(0, dialects.indexOf(dialect) + 1);
  const plainKeywords = upToDialect.flatMap(({ name }) => introducedKeywords[name]?.split(" ") ?? []);
  return new Set([id, ...anchors, ...references, ...plainKeywords, ...single, ...list, ...map]);
}

const allKeywords = new Set(dialects.flatMap((dialect) => [...keywordsOf(dialect)]));

/** Longer names are not compared: no keyword with two typos is that long. */
const maxNameLength = 30;

/**
 * The keyword that a name in a schema almost certainly misspells. Undefined for keywords of any dialect, for words, abbreviations and
 * plurals, which name custom annotations, and for every name far from all keywords.
 */
export function suggestKeyword(name: string, dialect: Dialect): string | undefined {
  if (
    allKeywords.has(name) ||
    name.length > maxNameLength ||
    !/^[a-z]+(?:[-_][a-z]+)*$/i.test(name) ||
    /^x-/i.test(name)
  )
    return undefined;
  const nameWords = wordsIn(name);
  if (nameWords.length === 1 && ownWords.has(nameWords[0] as string)) return undefined;
  const nearKeywords = [...keywordsOf(dialect)].flatMap((keyword) => {
    const steps = stepsTo(nameWords, wordsIn(keyword.replace("$", "")));
    return steps === undefined ? [] : [{ keyword, steps }];
  });
  return nearKeywords.sort((a, b) => a.steps - b.steps)[0]?.keyword;
}

/** Splits a name into words: `min-length`, `min_length` and `minLength` are the same two. */
function wordsIn(name: string): string[] {
  const isUpperCase = name === name.toUpperCase();
  return name.split(isUpperCase ? /[-_]/ : /[-_]|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase());
}

/** The number of typos between a name and a keyword; undefined if the name is probably deliberate. */
function stepsTo(nameWords: readonly string[], keyword: readonly string[]): number | undefined {
  const joinedWords = keyword.join("");
  if (nameWords.join("") === joinedWords) return 0;
  if (nameWords.length === 1) return countTypos(nameWords[0] as string, joinedWords);
  if (nameWords.length !== keyword.length) return undefined;
  const steps = nameWords.map((word, index) => {
    const part = keyword[index] as string;
    if (word === part) return 0;
    if (word === `${part}s` || `${word}s` === part) return 1;
    // `dependant` is a word too, but two long words with a single difference are most likely the same.
    const isDictionaryWord = ownWords.has(word) && (part.length < 8 || stepsBetween(word, part) > 1);
    return isDictionaryWord ? undefined : countTypos(word, part);
  });
  return steps.includes(undefined) ? undefined : steps.reduce<number>((sum, step) => sum + (step ?? 0), 0);
}

/** The number of typos between two words; undefined if there are too many for such a short word. */
function countTypos(name: string, word: string): number | undefined {
  if (word.length < 3) return undefined;
  const steps = stepsBetween(name, word);
  const isSwap = name.length === word.length && steps < distance(name, word);
  if (isSwap && steps === 1) return 1;
  const isLong = word.length >= 8;
  if (word.length === 3 || steps > (isLong ? 2 : 1)) return undefined;
  // `dtype`, `typeb`, `titles`: a short keyword with an additional letter is a user's own name, unless the letter is doubled.
  const isDoubled = /(.)\1/.test(name) && !/(.)\1/.test(word);
  if (name.includes(word) && !isDoubled && (!isLong || name === `${word}s`)) return undefined;
  return isLong || name[0] === word[0] ? steps : undefined;
}
