import { exchanges, inPlaceOf, intruders, type NearMiss, surroundingText } from "../regex/near-misses.ts";
import { type Piece, piecesOf } from "./pieces.ts";

/** Longer fixed strings are changed only at their ends and in the middle. */
const longestFixed = 8;
const longestRun = 1000;

/**
 * Yields near misses of a pattern that is a sequence of fixed strings and runs of one class, such as a token: each character of a fixed string wrong
 * or left out, each run one character too short or too long, or with a wrong character at its start, middle or end. In other strings, characters are
 * exchanged.
 */
export function* insideMisses(pattern: RegExp, matching: string): Generator<NearMiss> {
  const pieces = piecesOf(pattern, matching);
  const runs = pieces.filter(({ kind }) => kind === "run");
  for (const [index, piece] of pieces.entries()) {
    const { kind, start, end } = piece;
    const fixedPartName = fixedName(piece, matching, index);
    const runName = runs.length === 1 ? "run" : `run-${runs.indexOf(piece) + 1}`;
    const misses =
      kind === "fixed"
        ? fixedMisses(matching.slice(start, end))
        : runMisses(pattern, matching, piece, piece === runs[0]);
    for (const { name, text, ...more } of misses) {
      const whole = matching.slice(0, start) + text + matching.slice(end);
      if (!pattern.test(whole))
        yield { name: `${kind === "fixed" ? fixedPartName : runName}-${name}`, text: whole, ...more };
    }
  }
  const covered = pieces.reduce((sum, { start, end }) => sum + end - start, 0);
  if (covered < matching.length) yield* exchanges(pattern, matching);
}

function fixedName({ start, end }: Piece, matching: string, index: number): string {
  if (start === 0) return "prefix";
  return end === matching.length ? "suffix" : `part-${index + 1}`;
}

function* fixedMisses(text: string): Generator<NearMiss> {
  const characters = [...text];
  const indices = [...characters.keys()];
  const places =
    characters.length <= longestFixed ? indices : [0, Math.floor(characters.length / 2), characters.length - 1];
  const replaceAt = (index: number, replacement: string) =>
    [...characters.slice(0, index), replacement, ...characters.slice(index + 1)].join("");
  for (const index of places) {
    yield { name: `${index + 1}-wrong`, text: replaceAt(index, characters[index] === "x" ? "y" : "x") };
    yield { name: `${index + 1}-left-out`, text: replaceAt(index, "") };
  }
  if (characters.length > 1) yield { name: "left-out", text: "" };
}

function* runMisses(
  pattern: RegExp,
  matching: string,
  { start, end, min, max }: Piece,
  isFirst: boolean,
): Generator<NearMiss> {
  const characters = [...matching.slice(start, end)];
  if (min > 0) yield { name: min === 1 ? "empty" : "one-short", text: characters.slice(0, min - 1).join("") };
  if (characters.length === 0) return;
  const longer = Array.from(
    { length: max < longestRun ? max + 1 : 0 },
    (_, index) => characters[index % characters.length],
  );
  if (longer.length > 0) yield { name: "one-long", text: longer.join("") };
  const [outerBefore, outerAfter] = [matching.slice(0, start), matching.slice(end)];
  const placeAt = (position: string, index: number) => ({
    position,
    index,
    ...surroundingText(characters, index),
  });
  const places = [
    placeAt("first", 0),
    placeAt("middle", Math.floor(characters.length / 2)),
    placeAt("last", characters.length - 1),
  ];
  const isRefused = (character: string) =>
    places.every(({ before, after }) => !pattern.test(outerBefore + before + character + after + outerAfter));
  // In the first run, every kind of wrong character once, at the three places in turn; in other runs only some of them.
  let turn = 0;
  for (const intruder of intruders) {
    if (!isRefused(intruder.character)) continue;
    const { position, index, before, after } = places[turn % places.length] as (typeof places)[number];
    const { name, spare } = intruder;
    const text = before + inPlaceOf(characters[index], intruder) + after;
    yield { name: `${name}-${position}`, text, ...(spare === true ? { spare } : {}) };
    turn += 1;
    if (turn === maxIntruders && !isFirst) return;
  }
}

/** The maximum number of wrong characters tried in a run that is not the first. */
const maxIntruders = 3;
