import { formats } from "../formats/table.ts";
import { combine, horizon, stateCount, words } from "../regex/automaton.ts";
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
  for (const table of tables) {
    for (const { value } of table ?? []) {
      for (const text of [value, `${value}${"a".repeat(Math.max(0, Math.min(min, longest) - value.length))}`])
        if (fits(text)) yield text;
    }
  }
  // Further values, for lists of many different ones.
  for (let index = 1; index <= 400 && tables.length > 0; index += 1) {
    const text = `${tables[0]?.[0]?.value ?? ""}${index}`;
    if (fits(text)) yield text;
  }
  if (min > longest) search.giveUp(`a string of at least ${min} characters`);
  else if (patterns.length === 0 && notPatterns.length === 0) {
    yield* plain(min, max, fits);
    if (max > 0) search.giveUp("a further string");
    // Only the tables make values of a format, so an end here is no proof that there are none.
    if (tables.length > 0) search.giveUp(`a string of ${[...wanted, ...notFormats].join(" and ")}`);
  } else {
    const sources = (all: readonly RegExp[]) => [...new Set(all.map((pattern) => pattern.source))].sort();
    const automaton = combine(sources(patterns), sources(notPatterns));
    const what = `a string for ${[...patterns, ...notPatterns].join(" and ")}`;
    if (automaton === undefined) return search.giveUp(what);
    let tried = 0;
    for (const word of words(automaton, min, max)) {
      if (fits(word)) yield word;
      tried += 1;
      if (tried > 4000) break;
    }
    // A finite language has no word as long as its automaton has states.
    const seen =
      max <= min + horizon || automaton.isEmpty || (automaton.isFinite && stateCount(automaton) <= min + horizon);
    if (tried > 0 || !seen) search.giveUp(what);
  }
}

function* plain(min: number, max: number, fits: (text: string) => boolean): Generator<string> {
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
}
