import { formats } from "../formats/table.ts";
import { combine, words } from "../regex/automaton.ts";
import type { Shape } from "./formula.ts";
import type { Search } from "./search.ts";
import { scalarFits } from "./shape.ts";

const longest = 200_000;

/** Strings of a shape: the hint, telling values of its formats, words of its patterns, otherwise plain text of the shortest length. */
export function* texts(shape: Shape, hint: unknown, search: Search): Generator<string> {
  const { min, max, patterns, notPatterns, formats: wanted, notFormats } = shape.string;
  const fits = (text: string) => scalarFits(shape, text);
  if (typeof hint === "string" && fits(hint)) yield hint;
  const tables = [
    ...wanted.map((format) => formats[format]?.valid),
    ...notFormats.map((format) => formats[format]?.invalid),
  ];
  for (const table of tables) for (const { value } of table ?? []) if (fits(value)) yield value;
  if (min > longest) {
    search.giveUp(`a string of at least ${min} characters`);
    return;
  }
  if (patterns.length === 0 && notPatterns.length === 0) {
    yield* plain(min, max, fits);
  } else {
    const sources = (all: readonly RegExp[]) => [...new Set(all.map((pattern) => pattern.source))].sort();
    const automaton = combine(sources(patterns), sources(notPatterns));
    if (automaton === undefined) search.giveUp(`a string for ${patterns.join(" and ")}`);
    else {
      if (automaton.isEmpty) return;
      let tried = 0;
      for (const word of words(automaton, min, max)) {
        if (fits(word)) yield word;
        tried += 1;
        if (tried > 4000) break;
      }
    }
  }
  // Only the tables make values of a format, so an end here is no proof that there are none.
  if (wanted.length + notFormats.length > 0 || max > 4000) search.giveUp("further strings");
}

function* plain(min: number, max: number, fits: (text: string) => boolean): Generator<string> {
  const letters = "abcdefghijklmnopqrstuvwxyz";
  for (let length = min; length <= Math.min(max, min + 4); length += 1) {
    for (const letter of length === 0 ? "a" : letters) {
      const text = letter.repeat(length);
      if (fits(text)) yield text;
    }
  }
}
