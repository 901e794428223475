import { equal, type Json } from "../../schemas/index.ts";
import { type Formula, type MemberTest, negate, type Shape } from "../formulas/formula.ts";
import { kindOf, kinds, numbers } from "../formulas/kinds.ts";
import { limitAbove, limitBelow } from "../keywords/bounds.ts";
import type { Literal } from "./clauses.ts";

/** A constraint that a shape may state, and its opposite. Values of other kinds satisfy it. */
export interface Fact {
  /** The same for equal facts. */
  key: string;
  /** The kinds of value to which the fact applies. */
  kinds: number;
  assert(shape: Shape): void;
  /** Absent if the opposite is never needed. */
  deny?(shape: Shape): void;
  /** The member that the fact requires, if any. */
  name?: string;
  /** The constraint on members that the fact states, if any. */
  each?: { test: MemberTest; formula: Formula };
  /** The only value that the fact allows, if it allows only one. */
  value?: { of: Json };
  /** Whether the fact adds evaluated parts to collectors. */
  collects?: true;
}

/** A constraint on members that a fact states, and the constraint that its opposite states. */
export interface MemberConstraint {
  literal: Literal;
  test: MemberTest;
  formula: Formula;
  opposite: Formula | undefined;
}

/** A fact, or its opposite if the second entry is false. */
export type FactLiteral = [Fact, boolean];

type FormulaKey = (formula: Formula) => string;

export function equalityFact(value: Json, key: string): Fact {
  return {
    key: `is ${key}`,
    kinds: kindOf(value),
    value: { of: value },
    assert: (shape) => {
      shape.in = (shape.in ?? [value]).filter((each) => equal(each, value));
    },
    deny: (shape) => {
      shape.out = [...shape.out, value];
    },
  };
}

export function presenceFact(name: string): Fact {
  return {
    key: `has ${name}`,
    kinds: kinds.object,
    name,
    assert: ({ object }) => object.required.add(name),
    deny: ({ object }) => object.forbidden.add(name),
  };
}

/** Lists all constraints of a shape as facts, except kinds, values and collected parts. */
export function factsOf(shape: Shape, keyOfFormula: FormulaKey): FactLiteral[] {
  return [
    ...factsOfNumber(shape),
    ...factsOfString(shape),
    ...factsOfArray(shape, keyOfFormula),
    ...factsOfObject(shape, keyOfFormula),
  ];
}

function factsOfNumber({ number, kinds: mask }: Shape): FactLiteral[] {
  const { low, lowOpen, high, highOpen } = number;
  const isOnlyKind = (mask & ~numbers) === 0;
  const literals: FactLiteral[] = [];
  // If the shape allows only numbers, the constraint may be expressed as the opposite of another fact, so that both share a literal.
  if (low > -Infinity) literals.push(isOnlyKind ? [factBelow(low, !lowOpen), false] : [factAbove(low, lowOpen), true]);
  if (high < Infinity)
    literals.push(isOnlyKind ? [factAbove(high, !highOpen), false] : [factBelow(high, highOpen), true]);
  const multiple = (divisor: number): Fact => ({
    key: `multiple ${divisor}`,
    kinds: numbers,
    assert: ({ number: each }) => each.multiples.push(divisor),
    deny: ({ number: each }) => each.notMultiples.push(divisor),
  });
  return [...literals, ...factsAndOpposites(number.multiples, number.notMultiples, multiple)];
}

function factAbove(limit: number, open: boolean): Fact {
  return {
    key: `above ${limit} ${open}`,
    kinds: numbers,
    assert: ({ number }) => limitBelow(number, limit, open),
    deny: ({ number }) => limitAbove(number, limit, !open),
  };
}

function factBelow(limit: number, open: boolean): Fact {
  return {
    key: `below ${limit} ${open}`,
    kinds: numbers,
    assert: ({ number }) => limitAbove(number, limit, open),
    deny: ({ number }) => limitBelow(number, limit, !open),
  };
}

function factsAndOpposites<T>(
  assertedItems: readonly T[],
  deniedItems: readonly T[],
  fact: (each: T) => Fact,
): FactLiteral[] {
  return [
    ...assertedItems.map((each): FactLiteral => [fact(each), true]),
    ...deniedItems.map((each): FactLiteral => [fact(each), false]),
  ];
}

type SizedPart = "string" | "array" | "object";

function factsOfSize(shape: Shape, part: SizedPart): FactLiteral[] {
  const { min, max } = shape[part];
  const isOnlyKind = (shape.kinds & ~kinds[part]) === 0;
  const literals: FactLiteral[] = [];
  if (min > 0) literals.push(isOnlyKind ? [factAtMost(part, min - 1), false] : [factAtLeast(part, min), true]);
  if (max < Infinity) literals.push(isOnlyKind ? [factAtLeast(part, max + 1), false] : [factAtMost(part, max), true]);
  return literals;
}

function factAtLeast(part: SizedPart, limit: number): Fact {
  return {
    key: `least ${part} ${limit}`,
    kinds: kinds[part],
    assert: ({ [part]: each }) => {
      each.min = Math.max(each.min, limit);
    },
    deny: ({ [part]: each }) => {
      each.max = Math.min(each.max, limit - 1);
    },
  };
}

function factAtMost(part: SizedPart, limit: number): Fact {
  return {
    key: `most ${part} ${limit}`,
    kinds: kinds[part],
    assert: ({ [part]: each }) => {
      each.max = Math.min(each.max, limit);
    },
    deny: ({ [part]: each }) => {
      each.min = Math.max(each.min, limit + 1);
    },
  };
}

function factsOfString(shape: Shape): FactLiteral[] {
  const { patterns, notPatterns, formats, notFormats } = shape.string;
  const pattern = (regexp: RegExp): Fact => ({
    key: `pattern ${regexp}`,
    kinds: kinds.string,
    assert: ({ string }) => string.patterns.push(regexp),
    deny: ({ string }) => string.notPatterns.push(regexp),
  });
  const format = (name: string): Fact => ({
    key: `format ${name}`,
    kinds: kinds.string,
    assert: ({ string }) => string.formats.push(name),
    deny: ({ string }) => string.notFormats.push(name),
  });
  return [
    ...factsOfSize(shape, "string"),
    ...factsAndOpposites(patterns, notPatterns, pattern),
    ...factsAndOpposites(formats, notFormats, format),
  ];
}

function factsOfArray(shape: Shape, keyOfFormula: FormulaKey): FactLiteral[] {
  const { each, some, contains, unique, repeated } = shape.array;
  const uniqueFact: Fact = {
    key: "different",
    kinds: kinds.array,
    assert: ({ array }) => {
      array.unique = true;
    },
    deny: ({ array }) => {
      array.repeated = true;
    },
  };
  const allItemsFact = ({ from, to, formula }: (typeof each)[number]): Fact => ({
    key: `items ${from} ${to} ${keyOfFormula(formula)}`,
    kinds: kinds.array,
    assert: ({ array }) => array.each.push({ from, to, formula }),
    ...denyFormula(formula, (opposite) => ({
      deny: ({ array }) => array.some.push({ from, to, formula: opposite }),
    })),
  });
  const someItemFact = (demand: (typeof some)[number]): FactLiteral =>
    isDenial(demand.formula)
      ? [allItemsFact({ ...demand, formula: negate(demand.formula) }), false]
      : [
          {
            key: `some item ${demand.from} ${demand.to} ${keyOfFormula(demand.formula)}`,
            kinds: kinds.array,
            assert: ({ array }) => array.some.push(demand),
          },
          true,
        ];
  const containsFact = (demand: (typeof contains)[number]): FactLiteral => [
    {
      key: `contains ${demand.min} ${demand.max} ${keyOfFormula(demand.formula)}`,
      kinds: kinds.array,
      assert: ({ array }) => array.contains.push(demand),
    },
    true,
  ];
  return [
    ...factsOfSize(shape, "array"),
    ...each.map((wanted): FactLiteral => [allItemsFact(wanted), true]),
    ...some.map(someItemFact),
    ...contains.map(containsFact),
    ...(unique ? [[uniqueFact, true] as FactLiteral] : []),
    ...(repeated ? [[uniqueFact, false] as FactLiteral] : []),
  ];
}

function factsOfObject(shape: Shape, keyOfFormula: FormulaKey): FactLiteral[] {
  const { required, forbidden, each, some, names, someName } = shape.object;
  const allMembersFact = ({ test, formula }: (typeof each)[number]): Fact => {
    return {
      key: `members ${testKey(test)} ${keyOfFormula(formula)}`,
      kinds: kinds.object,
      each: { test, formula },
      assert: ({ object }) => object.each.push({ test, formula }),
      ...denyFormula(formula, (opposite) => ({
        // The presence of the member is a separate fact.
        deny: ({ object }) => object[test.of === "name" ? "each" : "some"].push({ test, formula: opposite }),
      })),
    };
  };
  const someMemberFacts = (wanted: (typeof some)[number]): FactLiteral[] => {
    const { test, formula } = wanted;
    if (isDenial(formula)) return [[allMembersFact({ test, formula: negate(formula) }), false]];
    if (test.of === "name")
      return [
        [presenceFact(test.name), true],
        [allMembersFact(wanted), true],
      ];
    const key = `some member ${testKey(test)} ${keyOfFormula(formula)}`;
    return [[{ key, kinds: kinds.object, assert: ({ object }) => object.some.push(wanted) }, true]];
  };
  const allNamesFact = (formula: Formula): Fact => ({
    key: `names ${keyOfFormula(formula)}`,
    kinds: kinds.object,
    assert: ({ object }) => object.names.push(formula),
    ...denyFormula(formula, (opposite) => ({ deny: ({ object }) => object.someName.push(opposite) })),
  });
  const someNameFact = (formula: Formula): FactLiteral =>
    isDenial(formula)
      ? [allNamesFact(negate(formula)), false]
      : [
          {
            key: `some name ${keyOfFormula(formula)}`,
            kinds: kinds.object,
            assert: ({ object }) => object.someName.push(formula),
          },
          true,
        ];
  return [
    ...factsAndOpposites([...required], [...forbidden], presenceFact),
    ...each.map((wanted): FactLiteral => [allMembersFact(wanted), true]),
    ...some.flatMap(someMemberFacts),
    ...names.map((formula): FactLiteral => [allNamesFact(formula), true]),
    ...someName.map(someNameFact),
    ...factsOfSize(shape, "object"),
  ];
}

/** Whether a formula denies a schema. "Some part denies it" is then stated as the opposite of "all parts fulfil it". */
function isDenial(formula: Formula): boolean {
  return formula.op === "schema" && !formula.sign && formula.focus === undefined;
}

/** Returns the opposite of a fact, if its formula has an opposite. */
function denyFormula(formula: Formula, opposite: (formula: Formula) => Pick<Fact, "deny">): Pick<Fact, "deny"> {
  return formula.op === "schema" && formula.sign && formula.focus === undefined ? opposite(negate(formula)) : {};
}

function testKey(test: MemberTest): string {
  if (test.of === "name") return JSON.stringify(test.name);
  if (test.of === "pattern") return String(test.regexp);
  return `rest ${JSON.stringify([...test.names])} ${test.patterns.join(" ")}`;
}
