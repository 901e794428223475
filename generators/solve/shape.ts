import { equal, type Json, type JsonObject } from "../../schemas/index.ts";
import { formatHolds } from "../formats/check.ts";
import type { Formula, MemberTest, Shape } from "../formulas/formula.ts";
import { everyKind, kindOf, kinds, numbers } from "../formulas/kinds.ts";
import { isListed } from "../formulas/listed.ts";
import { isDecimalMultiple, isMultiple } from "../keywords/multiple-of.ts";
import type { Effort } from "../model/effort.ts";
import { hasAtLeast, hasAtMost } from "../regex/code-points.ts";

export function openShape(): Shape {
  return {
    judged: { own: new Map(), outer: undefined },
    kinds: everyKind,
    in: undefined,
    out: [],
    number: { low: -Infinity, lowOpen: false, high: Infinity, highOpen: false, multiples: [], notMultiples: [] },
    string: { min: 0, max: Infinity, patterns: [], notPatterns: [], formats: [], notFormats: [] },
    array: { min: 0, max: Infinity, each: [], some: [], contains: [], unique: false, repeated: false },
    object: {
      min: 0,
      max: Infinity,
      required: new Set(),
      forbidden: new Set(),
      each: [],
      some: [],
      names: [],
      someName: [],
    },
    collectors: new Map(),
    checks: [],
  };
}

/** A copy. Making it is counted as work. */
export function cloneShape(shape: Shape, effort: Effort | undefined): Shape {
  const { number, string, array, object } = shape;
  effort?.spend(3 + (object.each.length + object.required.size) / 20);
  return {
    judged: { own: new Map(), outer: shape.judged },
    kinds: shape.kinds,
    in: shape.in,
    out: shape.out,
    number: { ...number, multiples: [...number.multiples], notMultiples: [...number.notMultiples] },
    string: {
      ...string,
      patterns: [...string.patterns],
      notPatterns: [...string.notPatterns],
      formats: [...string.formats],
      notFormats: [...string.notFormats],
    },
    array: { ...array, each: [...array.each], some: [...array.some], contains: [...array.contains] },
    object: {
      ...object,
      required: new Set(object.required),
      forbidden: new Set(object.forbidden),
      each: [...object.each],
      some: [...object.some],
      names: [...object.names],
      someName: [...object.someName],
    },
    checks: shape.checks,
    collectors:
      shape.collectors.size === 0
        ? shape.collectors
        : new Map(
            [...shape.collectors].map(([id, collector]) => [
              id,
              {
                ...collector,
                names: new Set(collector.names),
                patterns: [...collector.patterns],
                contains: [...collector.contains],
              },
            ]),
          ),
  };
}

export function applies(test: MemberTest, name: string): boolean {
  if (test.of === "name") return test.name === name;
  if (test.of === "pattern") return test.regexp.test(name);
  return !test.names.has(name) && !test.patterns.some((pattern) => pattern.test(name));
}

/** Whether no value can have this shape, seen without solving anything inside it. */
export function isEmpty(shape: Shape): boolean {
  const { number, string, array, object } = shape;
  let left = shape.kinds;
  if (number.low > number.high || (number.low === number.high && (number.lowOpen || number.highOpen))) left &= ~numbers;
  if (number.notMultiples.some((of) => isImplied(of, number.multiples))) left &= ~numbers;
  if (string.min > string.max || contradicts(string)) left &= ~kinds.string;
  if (array.min > array.max) left &= ~kinds.array;
  if (object.min > object.max || object.required.size > object.max) left &= ~kinds.object;
  else if ([...object.required].some((name) => object.forbidden.has(name))) left &= ~kinds.object;
  shape.kinds = left;
  if (shape.in !== undefined && !shape.in.some((value) => (kindOf(value) & left) !== 0)) return true;
  return left === 0;
}

/** Whether multiples of one of these are multiples of the other number. */
function isImplied(of: number, multiples: readonly number[]): boolean {
  return multiples.some((each) => isDecimalMultiple(each, of));
}

/** Whether a format or pattern is asked for and ruled out at once. */
function contradicts({ formats, notFormats, patterns, notPatterns }: Shape["string"]): boolean {
  return (
    notFormats.some((format) => formats.includes(format)) ||
    notPatterns.some(({ source }) => patterns.some((pattern) => pattern.source === source))
  );
}

/** Whether a number or string fulfils the shape's constraints on its kind, apart from `in` and `out`. */
export function scalarFits(shape: Shape, value: number | string): boolean {
  if (typeof value === "number") {
    const { low, lowOpen, high, highOpen, multiples, notMultiples } = shape.number;
    return (
      (lowOpen ? value > low : value >= low) &&
      (highOpen ? value < high : value <= high) &&
      multiples.every((of) => isMultiple(value, of) === true) &&
      notMultiples.every((of) => isMultiple(value, of) === false)
    );
  }
  const { min, max, patterns, notPatterns, formats, notFormats } = shape.string;
  return (
    hasAtLeast(value, min) &&
    hasAtMost(value, max) &&
    patterns.every((pattern) => pattern.test(value)) &&
    !notPatterns.some((pattern) => pattern.test(value)) &&
    formats.every((format) => formatHolds(format, value) === true) &&
    notFormats.every((format) => formatHolds(format, value) === false)
  );
}

/** Whether a whole value fits, `holds` judging the formulas inside it. */
export function fits(shape: Shape, value: Json, holds: (formula: Formula, value: Json) => boolean): boolean {
  if ((kindOf(value) & shape.kinds) === 0) return false;
  if (shape.in !== undefined && !isListed(value, shape.in)) return false;
  if (isListed(value, shape.out)) return false;
  if (typeof value === "number" || typeof value === "string") return scalarFits(shape, value);
  if (Array.isArray(value)) return arrayFits(shape, value, holds);
  if (typeof value === "object" && value !== null) return objectFits(shape, value, holds);
  return true;
}

function arrayFits(shape: Shape, value: Json[], holds: (formula: Formula, value: Json) => boolean): boolean {
  const { min, max, each, some, contains, unique, repeated } = shape.array;
  const isRepeated = value.some((item, index) => value.slice(0, index).some((other) => equal(item, other)));
  return (
    value.length >= min &&
    value.length <= max &&
    each.every(({ from, to, formula }) => value.slice(from, to).every((item) => holds(formula, item))) &&
    some.every(({ from, to, formula }) => value.slice(from, to).some((item) => holds(formula, item))) &&
    contains.every((wanted) => {
      const found = value.filter((item) => holds(wanted.formula, item)).length;
      return found >= wanted.min && found <= wanted.max;
    }) &&
    !(unique && isRepeated) &&
    !(repeated && !isRepeated)
  );
}

function objectFits(shape: Shape, value: JsonObject, holds: (formula: Formula, value: Json) => boolean): boolean {
  const { min, max, required, forbidden, each, some, names, someName } = shape.object;
  const own = Object.keys(value);
  return (
    own.length >= min &&
    own.length <= max &&
    [...required].every((name) => Object.hasOwn(value, name)) &&
    !own.some((name) => forbidden.has(name)) &&
    each.every(({ test, formula }) =>
      own.every((name) => !applies(test, name) || holds(formula, value[name] as Json)),
    ) &&
    some.every(({ test, formula }) => own.some((name) => applies(test, name) && holds(formula, value[name] as Json))) &&
    names.every((formula) => own.every((name) => holds(formula, name))) &&
    someName.every((formula) => own.some((name) => holds(formula, name)))
  );
}
