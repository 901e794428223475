import { home } from "../schemas/index.ts";
import { isProgram, isTest, readTree, type Tree } from "./tree.ts";

/** Phrases that make a sentence hard to read, each with the plain form. */
export const phrases: Readonly<Record<Phrase, readonly [pattern: RegExp, say: string]>> = {
  "what is": [
    /\bwhat (?:is|was|has|had|are|were|can|may|must|does|did|needs?|it|they|no|an?|the|one|\w+s)\b/gi,
    "name the thing",
  ],
  "where it": [/\bwhere (?:that|there|this|it|they|nobody|nothing|no|none|one|an?|the)\b/gi, "if, when"],
  "of which": [/\b(?:of|in|by) which\b/gi, "a sentence of its own"],
  takes: [/\b(?:takes?|taken)\b/gi, "accepts, reads as"],
  "one that": [/\b(?:one|those) that\b/gi, "name the thing"],
  stands: [/\bstands?\b/gi, "is"],
  somebody: [/\b(?:some|no|any)body\b/gi, "name the party"],
  whatever: [/\b(?:who|what|where)ever\b/gi, "if, each, any"],
  whose: [/\bwho(?:m|se)\b/gi, "with, of"],
  "is no": [/\b(?:is|are) no\b/gi, "is not a"],
  tells: [/\b(?:told|tells?)\b/gi, "says, reports, distinguishes"],
  anew: [/\banew\b/gi, "again"],
};

/** A phrase by its name. */
export type Phrase =
  | "what is"
  | "where it"
  | "of which"
  | "takes"
  | "one that"
  | "stands"
  | "somebody"
  | "whatever"
  | "whose"
  | "is no"
  | "tells"
  | "anew";

/** The sorts of prose: descriptions of vectors, rules, strings in programs, pages, comments, and test titles. */
export type Sort = "vectors" | "rules" | "texts" | "pages" | "comments" | "titles";

/**
 * The maximum uses of each phrase per thousand words. A ceiling is lowered when sentences get better, and is never raised. The goal is 0.2,
 * and 1 for `what is`.
 */
export const ceilings: Readonly<Record<Sort, Readonly<Record<Phrase, number>>>> = {
  vectors: {
    "what is": 0.3,
    "where it": 0.2,
    "of which": 0.2,
    takes: 0.2,
    "one that": 0.2,
    stands: 0.2,
    somebody: 0.2,
    whatever: 0.2,
    whose: 0.2,
    "is no": 0.2,
    tells: 0.2,
    anew: 0.2,
  },
  rules: {
    "what is": 1.3,
    "where it": 0.5,
    "of which": 0.2,
    takes: 0.9,
    "one that": 0.4,
    stands: 0.3,
    somebody: 0.5,
    whatever: 0.3,
    whose: 0.4,
    "is no": 0.3,
    tells: 0.7,
    anew: 0.2,
  },
  texts: {
    "what is": 1.1,
    "where it": 0.2,
    "of which": 0.2,
    takes: 0.9,
    "one that": 0.3,
    stands: 0.2,
    somebody: 0.2,
    whatever: 0.2,
    whose: 0.5,
    "is no": 1.9,
    tells: 0.5,
    anew: 0.2,
  },
  pages: {
    "what is": 1.1,
    "where it": 0.6,
    "of which": 0.3,
    takes: 0.6,
    "one that": 0.3,
    stands: 0.2,
    somebody: 0.2,
    whatever: 0.2,
    whose: 0.7,
    "is no": 0.3,
    tells: 0.2,
    anew: 0.2,
  },
  comments: {
    "what is": 0.3,
    "where it": 0.2,
    "of which": 0.4,
    takes: 0.2,
    "one that": 0.35,
    stands: 0.2,
    somebody: 0.2,
    whatever: 0.2,
    whose: 0.2,
    "is no": 0.35,
    tells: 0.2,
    anew: 0.2,
  },
  titles: {
    "what is": 0.3,
    "where it": 0.3,
    "of which": 0.3,
    takes: 0.5,
    "one that": 0.8,
    stands: 0.2,
    somebody: 0.3,
    whatever: 0.5,
    whose: 0.6,
    "is no": 0.9,
    tells: 0.2,
    anew: 0.2,
  },
};

/** How far a rate may be below its ceiling before the ceiling must be lowered, as a share of it. */
export const slack: number = 0.5;

/** The prose of a tree by sort, with the file of each. Quoted values and code do not count. */
export function proseOf(tree: Tree): Record<Sort, { file: string; text: string }[]> {
  const proseBySort: ReturnType<typeof proseOf> = {
    vectors: [],
    rules: [],
    texts: [],
    pages: [],
    comments: [],
    titles: [],
  };
  for (const [file, text] of tree) {
    const add = (sort: Sort, parts: readonly string[]) => proseBySort[sort].push({ file, text: parts.join("\n") });
    if (/^vectors\/.*\.json$/.test(file)) add("vectors", descriptionsIn(text));
    else if (/^schemas\/[^/]+\/[^/]+\/(?:rules\/.*|rules|fixtures)\.yaml$/.test(file)) add("rules", [text]);
    else if (file.endsWith(".md") && file !== "CHANGELOG.md") add("pages", [withoutCode(text)]);
    else if (isProgram(file) && !isTest(file) && file !== "scripts/prose.ts") {
      add("comments", commentsIn(text).map(withoutCode));
      add("texts", textsIn(text));
    } else if (isProgram(file)) add("titles", titlesIn(text));
  }
  return proseBySort;
}

/** The uses of each phrase per thousand words, for each sort. */
export function ratesOf(tree: Tree): Record<Sort, Record<Phrase, number>> {
  const prose = Object.entries(proseOf(tree)).map(([sort, parts]) => {
    const text = parts.map((part) => part.text).join("\n");
    const wordCount = Math.max(1, text.match(/\S+/g)?.length ?? 0);
    return [
      sort,
      Object.fromEntries(
        Object.entries(phrases).map(([phrase, [pattern]]) => [
          phrase,
          (1000 * (text.match(pattern)?.length ?? 0)) / wordCount,
        ]),
      ),
    ];
  });
  return Object.fromEntries(prose) as ReturnType<typeof ratesOf>;
}

/** The sentences of vectors, without quoted values and expressions. */
function descriptionsIn(text: string): string[] {
  return [...text.matchAll(/^ +\{"id":"[^"]*","description":("(?:[^"\\]|\\.)*")/gm)].map(([, quoted]) =>
    withoutCode(JSON.parse(quoted as string) as string).replace(/"(?:[^"\\]|\\.)*"/g, '""'),
  );
}

function commentsIn(text: string): string[] {
  return [...text.matchAll(/\/\*\*?([\s\S]*?)\*\/|(?:^|\s)\/\/ (.*)/g)].map(
    ([, block = "", line = ""]) => block + line,
  );
}

/** String literals of at least three words. */
function textsIn(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*/g, "");
  return [...code.matchAll(/"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)]
    .map(([, quoted = "", template = ""]) => quoted + template)
    .filter((literal) => literal.split(" ").length > 2);
}

/** The titles of tests and of their groups. */
function titlesIn(text: string): string[] {
  const titlePattern = /(?:\b(?:it|test|describe)(?:\.\w+)*|\))\(\s*"((?:[^"\\\n]|\\.)*)",/g;
  return [...text.matchAll(titlePattern)].map(([, title = ""]) => title);
}

function withoutCode(text: string): string {
  return text.replace(/```[\s\S]*?```/g, "").replace(/`[^`\n]*`/g, "``");
}

// As a program it lists the rates, and with a sort and a phrase the lines that have it.
if (process.argv[1] === import.meta.filename) {
  const tree = readTree(home);
  const [sort, phrase] = process.argv.slice(2) as [Sort?, Phrase?];
  if (sort === undefined || phrase === undefined) console.table(roundRates(ratesOf(tree)));
  else
    for (const { file, text } of proseOf(tree)[sort])
      for (const line of text.split("\n"))
        if (line.match(phrases[phrase][0]) !== null) console.log(`${file}: ${line.trim()}`);
}

function roundRates(rates: ReturnType<typeof ratesOf>): Record<string, Record<string, number>> {
  const roundAll = (phraseRates: Record<string, number>) =>
    Object.fromEntries(Object.entries(phraseRates).map(([name, rate]) => [name, Math.round(rate * 100) / 100]));
  return Object.fromEntries(Object.entries(rates).map(([sort, phraseRates]) => [sort, roundAll(phraseRates)]));
}
