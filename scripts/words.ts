import type { Tree } from "./tree.ts";

/** Words that only we would understand, each with the common term. */
const privateWords: readonly [pattern: RegExp, replacement: string][] = [
  [
    /\bput(s|ting)? ((\w+ )?vectors? )?to\b|\bask(s|ed|ing)? about every\b|\bcannot be asked about\b/i,
    "run vectors against",
  ],
  [/\bwhat (be)?came? of\b|\bwhat is told\b|\bcame to nothing\b/i, "result, report"],
  [/\bsmall mistakes?\b/i, "mutant"],
  [/\b(un)?told (twice|once)\b/i, "killed by"],
  [/\b(un)?told by\b/i, "killed by, determined by, shown by"],
  [/\btold apart\b|\btell(s|ing)? (\S+ ){0,6}apart\b/i, "distinguish, distinguished by, killed"],
  [/\bproven to change nothing\b/i, "equivalent"],
  [/\b(broken|breaks?) alone\b/i, "isolated, isolates"],
  [/\bForcing\b|\b[a-z]+ forcing [a-z]+\b/, "mutation score"],
  [/\btelling (values?|instances?|faults?|ones?)\b/i, "boundary value, distinguishing instance"],
  [/\btaste(s|ful)?\b/i, "sample-based values"],
  [/\b(heal|mend)(s|ed|ing)?\b/i, "repair"],
  [/\bplant(s|ed|ing)?\b/i, "inject"],
  [/\btoil(s|ed|ing)?\b/i, "budget"],
  [/\bculprits?\b/i, "suspect"],
  [/\bears?\b/i, "listener"],
  [/\b(liars?|convict(s|ed|ions?)?|astray)\b/i, "mutant target, kill, false positive"],
  [/\b(backstage|scenes?)\b/i, "environment"],
  [/\bheed(s|ed|ing)?\b/i, "respect"],
  [/\bburns?\b/i, "consume"],
  [/\battests?\b/i, "attribute"],
  [/\bcare-?less(ness|ly)?\b/i, "what enforces it, vacuous `if`"],
  [/\bbeyond the schemas?\b/i, "semantic rules"],
  [/\b(refused|accepted|accepts?|taken) with a word\b/i, "warned"],
  [/\baccuses? nobody\b/i, "never fails a target"],
  [/\bis owed\b|\bgives? a word\b|\bnobody ask(ed)\b/i, "a plain sentence"],
  [/(?<!\bthere )\bis none\b(?! o[fn]\b)/, "is not one, is not JSON, is invalid, is missing"],
];

/** Files that are not checked: published vectors, and this list. */
const exemptPaths = /^(vectors\/(?!README)|scripts\/words\.ts$)/;

/** Matches any of the words in one pass, because most texts contain none. */
const anyWord = new RegExp(privateWords.map(([{ source }]) => source).join("|"), "i");

/** Finds private words in paths, names, comments, documents and strings. */
export function wordComplaints(tree: Tree): string[] {
  return [...tree].flatMap(([path, text]) => {
    if (
      exemptPaths.test(path) ||
      !/\.(ts|js|md|css|ya?ml)$|^(schemas\/touchstone|suites\/packs\/pack\/example)\/.*\.json$/.test(path)
    )
      return [];
    const separated = `${path}\n${text}`.replace(/(?<=[a-z])(?=[A-Z])/g, " ");
    if (!anyWord.test(separated)) return [];
    const locationOf = (index: number): string =>
      [path, separated.slice(0, index).split("\n").length - 1 || []].flat().join(":");
    return privateWords.flatMap(([pattern, replacement]) =>
      [...separated.matchAll(new RegExp(pattern, `g${pattern.flags}`))].map(
        ({ 0: matchedWord, index }) => `${locationOf(index)}: "${matchedWord}": say ${replacement}`,
      ),
    );
  });
}
