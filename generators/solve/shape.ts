import { equal, type Json, type JsonObject } from "../../schemas/index.ts";
import { formatHolds } from "../formats/check.ts";
import type { Formula, MemberTest, Shape } from "../formulas/formula.ts";
import { everyKind, kindOf, kinds, numbers } from "../formulas/kinds.ts";
import { isListed } from "../formulas/listed-values.ts";
import { leastCommonMultiple, placesOf, scaledTo } from "../keywords/decimal.ts";
import { isMultiple } from "../keywords/multiple-of.ts";
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

/** Copies a shape, which counts as work. Constraints on excluded kinds are irrelevant and shared. */
export function cloneShape(shape: Shape, effort: Effort | undefined): Shape {
  const { number, string, array, object, collectors } = shape;
  countCopy(shape, effort);
  return {
    judged: { own: new Map(), outer: shape.judged },
    kinds: shape.kinds,
    in: shape.in,
    out: shape.out,
    number: (shape.kinds & numbers) === 0 ? number : copyNumber(number),
    string: (shape.kinds & kinds.string) === 0 ? string : copyString(string),
    array: (shape.kinds & kinds.array) === 0 ? array : copyArray(array),
    object: (shape.kinds & kinds.object) === 0 ? object : copyObject(object),
    checks: shape.checks,
    collectors: collectors.size === 0 ? collectors : copyCollectors(collectors),
  };
}

/** Prepares the same shape for further changes, if its old state may be lost. Counts as a copy. */
export function continueShape(shape: Shape, effort: Effort | undefined): Shape {
  countCopy(shape, effort);
  shape.judged = { own: new Map(), outer: shape.judged };
  return shape;
}

function countCopy({ object }: Shape, effort: Effort | undefined): void {
  effort?.spend(3 + (object.each.length + object.required.size) / 20);
}

function copyNumber({ low, lowOpen, high, highOpen, multiples, notMultiples }: Shape["number"]): Shape["number"] {
  return { low, lowOpen, high, highOpen, multiples: multiples.slice(), notMultiples: notMultiples.slice() };
}

function copyString(part: Shape["string"]): Shape["string"] {
  const { min, max, patterns, notPatterns, formats, notFormats } = part;
  return {
    min,
    max,
    patterns: patterns.slice(),
    notPatterns: notPatterns.slice(),
    formats: formats.slice(),
    notFormats: notFormats.slice(),
  };
}

function copyArray({ min, max, each, some, contains, unique, repeated }: Shape["array"]): Shape["array"] {
  return { min, max, each: each.slice(), some: some.slice(), contains: contains.slice(), unique, repeated };
}

function copyObject(part: Shape["object"]): Shape["object"] {
  const { min, max, required, forbidden, each, some, names, someName } = part;
  return {
    min,
    max,
    required: new Set(required),
    forbidden: new Set(forbidden),
    each: each.slice(),
    some: some.slice(),
    names: names.slice(),
    someName: someName.slice(),
  };
}

function copyCollectors(collectors: Shape["collectors"]): Shape["collectors"] {
  const copy: Shape["collectors"] = new Map();
  for (const [id, collector] of collectors) {
    const { names, patterns, contains } = collector;
    copy.set(id, {
      ...collector,
      names: new Set(names),
      patterns: patterns.slice(),
      contains: contains.slice(),
    });
  }
  return copy;
}

export function appliesTo(test: MemberTest, name: string): boolean {
  if (test.of === "name") return test.name === name;
  if (test.of === "pattern") return test.regexp.test(name);
  return !test.names.has(name) && !test.patterns.some((pattern) => pattern.test(name));
}

/** Whether the constraints on the value itself exclude every value. Removes the excluded kinds from the shape. */
export function isEmpty(shape: Shape): boolean {
  const { number, string, array, object } = shape;
  let possibleKinds = shape.kinds;
  if (number.low > number.high || (number.low === number.high && (number.lowOpen || number.highOpen)))
    possibleKinds &= ~numbers;
  if (number.notMultiples.length > 0) {
    if (isImplied(number.notMultiples, number.multiples)) possibleKinds &= ~numbers;
    if (isImplied(number.notMultiples, [...number.multiples, 1])) possibleKinds &= ~kinds.integer;
  }
  if (string.min > string.max || hasContradiction(string)) possibleKinds &= ~kinds.string;
  if (array.min > array.max) possibleKinds &= ~kinds.array;
  if (object.min > object.max || object.required.size > object.max) possibleKinds &= ~kinds.object;
  else for (const name of object.forbidden) if (object.required.has(name)) possibleKinds &= ~kinds.object;
  shape.kinds = possibleKinds;
  if (shape.in !== undefined && !shape.in.some((value) => (kindOf(value) & possibleKinds) !== 0)) return true;
  return possibleKinds === 0;
}

/** Whether each common multiple of `multiples` is a multiple of one of the others. */
function isImplied(others: readonly number[], multiples: readonly number[]): boolean {
  const places = Math.max(...others.map(placesOf), ...multiples.map(placesOf));
  const [first, ...more] = multiples.map((multiple) => scaledTo(multiple, places));
  if (first === undefined) return false;
  const step = more.reduce(leastCommonMultiple, first);
  return others.some((divisor) => step % scaledTo(divisor, places) === 0n);
}

/** Whether a format or pattern is both required and forbidden. */
function hasContradiction({ formats, notFormats, patterns, notPatterns }: Shape["string"]): boolean {
  return (
    notFormats.some((format) => formats.includes(format)) ||
    notPatterns.some(({ source }) => patterns.some((pattern) => pattern.source === source))
  );
}

/** Whether a number or string fulfils the shape's constraints on its kind, except `in` and `out`. */
export function scalarFits(shape: Shape, value: number | string): boolean {
  if (typeof value === "number") {
    const { low, lowOpen, high, highOpen, multiples, notMultiples } = shape.number;
    return (
      (lowOpen ? value > low : value >= low) &&
      (highOpen ? value < high : value <= high) &&
      multiples.every((divisor) => isMultiple(value, divisor) === true) &&
      notMultiples.every((divisor) => isMultiple(value, divisor) === false)
    );
  }
  const { min, max, patterns, notPatterns, formats, notFormats } = shape.string;
  return (
    hasAtLeast(value, min) &&
    hasAtMost(value, max) &&
    // Formats are checked first, because their results are cached, while guarded patterns may be slow.
    formats.every((format) => formatHolds(format, value) === true) &&
    notFormats.every((format) => formatHolds(format, value) === false) &&
    patterns.every((pattern) => pattern.test(value)) &&
    !notPatterns.some((pattern) => pattern.test(value))
  );
}

/** Whether a value fits a shape. `holds` judges the formulas for its parts. */
export function fitsShape(shape: Shape, value: Json, holds: (formula: Formula, value: Json) => boolean): boolean {
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
    contains.every((demand) => {
      const matchCount = value.filter((item) => holds(demand.formula, item)).length;
      return matchCount >= demand.min && matchCount <= demand.max;
    }) &&
    !(unique && isRepeated) &&
    !(repeated && !isRepeated)
  );
}

function objectFits(shape: Shape, value: JsonObject, holds: (formula: Formula, value: Json) => boolean): boolean {
  const { min, max, required, forbidden, each, some, names, someName } = shape.object;
  const memberNames = Object.keys(value);
  return (
    memberNames.length >= min &&
    memberNames.length <= max &&
    [...required].every((name) => Object.hasOwn(value, name)) &&
    !memberNames.some((name) => forbidden.has(name)) &&
    each.every(({ test, formula }) =>
      memberNames.every((name) => !appliesTo(test, name) || holds(formula, value[name] as Json)),
    ) &&
    some.every(({ test, formula }) =>
      memberNames.some((name) => appliesTo(test, name) && holds(formula, value[name] as Json)),
    ) &&
    names.every((formula) => memberNames.every((name) => holds(formula, name))) &&
    someName.every((formula) => memberNames.some((name) => holds(formula, name)))
  );
}
