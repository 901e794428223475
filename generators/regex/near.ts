import { automatonOf } from "./automaton.ts";
import { lookAlike } from "./look-alike.ts";
import { longestLength, words } from "./words.ts";

/** A string that a pattern refuses although it looks right. */
export interface NearMiss {
  name: string;
  text: string;
  /** It is worth a vector only where it kills a mutant. */
  spare?: true;
}

/** A character that a class lets in that is too wide. */
interface Intruder {
  name: string;
  character: string;
  spare?: true;
}

const intruder = (name: string, character: string): Intruder => ({ name, character });
/** Of these each class has a mutant that lets it in. */
const usual = (name: string, character: string): Intruder => ({ name, character, spare: true });

/** Characters of many classes. */
export const intruders: readonly Intruder[] = [
  usual("space", " "),
  usual("hyphen", "-"),
  usual("underscore", "_"),
  usual("point", "."),
  usual("slash", "/"),
  usual("upper-case-letter", "A"),
  usual("lower-case-letter", "g"),
  usual("digit", "7"),
  usual("accented-letter", "é"),
  usual("full-width-digit", "７"),
  usual("arabic-digit", "٣"),
  intruder("astral", "😀"),
  intruder("nul", "\u0000"),
];

/**
 * Near misses of a pattern around one string that it matches: something before, after or inside it, another case, one character over the
 * longest, and what is wrong `inside`: by default a character of the wrong class at the first, middle and last place, or one left out.
 * Each is confirmed to be refused.
 */
export function nearMisses(
  pattern: RegExp,
  matching: string,
  inside: Iterable<NearMiss> = exchanges(pattern, matching),
): NearMiss[] {
  const found: NearMiss[] = [];
  const offer = (name: string, text: string, more: Pick<NearMiss, "spare"> = {}) => {
    if (!pattern.test(text) && !found.some((each) => each.text === text || each.name === name))
      found.push({ name, text, ...more });
  };
  const characters = [...matching];
  offer("prefix-missing", characters.slice(1).join(""));
  offer("line-feed-at-the-end", `${matching}\n`);
  offer("leading-space", ` ${matching}`);
  offer("trailing-space", `${matching} `);
  offer("empty", "");
  offer("other-case", matching.toUpperCase() === matching ? matching.toLowerCase() : matching.toUpperCase());
  offer("look-alike", lookAlike(matching));
  for (const { name, text, ...more } of inside) offer(name, text, more);
  offer("line-feed-inside", [...characters.slice(0, -1), "\n", ...characters.slice(-1)].join(""));
  offer("nul-inside", [...characters.slice(0, -1), "\u0000", ...characters.slice(-1)].join(""));
  offer("word-before", `x${matching}`);
  offer("word-after", `${matching}x`);
  offer("doubled", matching + matching);
  const longest = longestOf(pattern.source);
  if (longest !== undefined) offer("one-over-the-longest", longest + (longest.at(-1) ?? "a"));
  return found;
}

/** A character of the wrong class at the first, middle and last place, or none there. */
export function* exchanges(pattern: RegExp, matching: string): Generator<NearMiss> {
  const characters = [...matching];
  const swap = (index: number, character: string) =>
    [...characters.slice(0, index), character, ...characters.slice(index + 1)].join("");
  const places: [string, number][] = [
    ["first", 0],
    ["middle", Math.floor(characters.length / 2)],
    ["last", characters.length - 1],
  ];
  for (const [where, index] of places) {
    if (index < 0) continue;
    const refused = intruders.filter(({ character }) => !pattern.test(swap(index, character)));
    for (const { name, character, ...more } of refused.slice(0, 4))
      yield { name: `${name}-${where}`, text: swap(index, character), ...more };
    yield { name: `${where}-left-out`, text: [...characters.slice(0, index), ...characters.slice(index + 1)].join("") };
  }
}

/** A longest matching string of at most a thousand characters, when the language is finite. */
export function longestOf(source: string): string | undefined {
  const automaton = automatonOf(source);
  const length = automaton === undefined ? undefined : longestLength(automaton);
  if (automaton === undefined || length === undefined || length > 1000) return undefined;
  for (const word of words(automaton, length, length)) return word;
  return undefined;
}

/** A shortest matching string. */
export function shortestOf(source: string): string | undefined {
  const automaton = automatonOf(source);
  if (automaton === undefined) return undefined;
  for (const word of words(automaton, 0, 1000)) return word;
  return undefined;
}
