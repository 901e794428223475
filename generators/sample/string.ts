import { ownMember } from "../../schemas/index.ts";
import { doubtOf } from "../formats/doubtful-times.ts";
import { formats as table } from "../formats/table.ts";
import type { Shape } from "../formulas/formula.ts";
import { combine } from "../regex/automaton.ts";
import { scalarFits } from "../solve/shape.ts";
import { formatMakers } from "./format.ts";
import { lengthBetween, longestDrawn, textOf } from "./plain-texts.ts";
import { chanceOf, pick, type Random, randomFrom } from "./random.ts";
import { wordsOf } from "./word.ts";

type MakeText = (random: Random) => string;

/** After this many failed attempts, the solver finds the string. */
const attempts = 60;

/** The number of strings of a source that are drawn to estimate how many of them fit. */
const trials = 64;

/** A source of strings that meet some of the demands. `rest` has the other demands. */
interface TextSource {
  make: MakeText;
  rest: Shape;
}

/** Returns a function that draws strings of a shape: plain strings, words of its patterns, or values of its formats; undisputed ones if possible. Undefined if none is found. */
export function stringsFor(shape: Shape): ((random: Random) => string | undefined) | undefined {
  const { formats } = shape.string;
  const isCertain = (text: string): boolean => formats.every((format) => doubtOf(format, text) === undefined);
  const sources = sourcesFor(shape);
  return formats.length === 0
    ? drawFrom(sources, () => true)
    : (drawFrom(sources, isCertain) ?? drawFrom(sources, () => true));
}

function drawFrom(
  sources: readonly TextSource[],
  isAcceptable: (text: string) => boolean,
): ((random: Random) => string | undefined) | undefined {
  const fits = ({ rest }: TextSource, text: string): boolean => scalarFits(rest, text) && isAcceptable(text);
  const rates = sources.map((source) => {
    const random = randomFrom(0);
    return Array.from({ length: trials }, () => source.make(random)).filter((text) => fits(source, text)).length;
  });
  const bestRate = Math.max(0, ...rates);
  // A source that yields less than a quarter of the best rate only costs attempts.
  const productiveSources = sources.filter((_, index) => (rates[index] as number) * 4 > bestRate);
  const [firstSource] = productiveSources;
  if (firstSource === undefined) return undefined;
  if (productiveSources.length === 1 && bestRate === trials && isOpen(firstSource.rest)) return firstSource.make;
  return (random) => {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const source = pick(random, productiveSources);
      const text = source.make(random);
      if (fits(source, text)) return text;
    }
    return undefined;
  };
}

function sourcesFor(shape: Shape): TextSource[] {
  const { min, max, patterns, notPatterns, formats } = shape.string;
  const replaceString = (changes: Partial<Shape["string"]>): Shape => ({
    ...shape,
    string: { ...shape.string, ...changes },
  });
  const textSources: TextSource[] = [];
  for (const format of new Set(formats)) {
    const rest = replaceString({ formats: formats.filter((otherFormat) => otherFormat !== format) });
    for (const make of makersOf(format, shape)) textSources.push({ make, rest });
  }
  if (patterns.length + notPatterns.length > 0) {
    const drawWord = wordsFor(shape);
    if (drawWord !== undefined)
      textSources.push({
        make: drawWord,
        rest: replaceString({ min: 0, max: Infinity, patterns: [], notPatterns: [] }),
      });
  }
  if (formats.length === 0 && patterns.length === 0 && min <= 10 * longestDrawn)
    textSources.push({
      make: (random) => textOf(random, lengthBetween(random, min, max)),
      rest: replaceString({ min: 0, max: Infinity }),
    });
  return textSources;
}

function isOpen({ string: { min, max, patterns, notPatterns, formats, notFormats } }: Shape): boolean {
  return (
    min === 0 && max === Infinity && patterns.length + notPatterns.length + formats.length + notFormats.length === 0
  );
}

/** Returns a maker of words that match all the patterns and none of the forbidden ones. */
function wordsFor(shape: Shape): MakeText | undefined {
  const { min, max, patterns, notPatterns } = shape.string;
  const sources = (regexps: readonly RegExp[]) => [...new Set(regexps.map((pattern) => pattern.source))].sort();
  const automaton = combine(sources(patterns), sources(notPatterns));
  return automaton === undefined ? undefined : wordsOf(automaton, min, max);
}

/** Lists makers of strings of a format, sometimes with the boundary values of its table. */
function makersOf(format: string, shape: Shape): MakeText[] {
  const boundaryValues = (ownMember(table, format)?.valid ?? [])
    .map(({ value }) => value)
    .filter((value) => scalarFits(shape, value) && doubtOf(format, value) === undefined);
  const make = ownMember(formatMakers, format) ?? (boundaryValues.length === 0 ? plainText(shape) : undefined);
  if (make === undefined) return [(random) => pick(random, boundaryValues)];
  return boundaryValues.length === 0
    ? [make]
    : [(random) => (chanceOf(random, 12) ? pick(random, boundaryValues) : make(random))];
}

/** For a format that is not asserted, any string will do. */
function plainText(shape: Shape): MakeText {
  const { min, max } = shape.string;
  return (random) => textOf(random, lengthBetween(random, min, max));
}
