import { ofNumbers } from "../formulas/facets.ts";
import type { Shape } from "../formulas/formula.ts";
import { numbers } from "../formulas/kinds.ts";
import type { NumberKeyword } from "../model/model.ts";
import type { KeywordHandler } from "./handler.ts";
import type { Reader } from "./reading.ts";

type BoundKeyword = Exclude<NumberKeyword, "multipleOf">;

/** The parts in which the four bounds differ. */
interface BoundSide {
  read: Reader;
  allows(value: number, limit: number): boolean;
  /** Adds the bound to a shape. */
  addBound(number: Shape["number"], limit: number): void;
  /** Adds the opposite of the bound to a shape. */
  addOpposite(number: Shape["number"], limit: number): void;
  /** Whether the limit itself is a boundary value. */
  hasEdge?: true;
}

function boundKeyword(
  kind: BoundKeyword,
  { read, allows, addBound, addOpposite, hasEdge }: BoundSide,
): KeywordHandler<BoundKeyword> {
  return {
    isPlain: true,
    readers: { [kind]: read },
    holds: ({ limit }, value) => typeof value !== "number" || allows(value, limit),
    assert({ limit }, { shape }) {
      addBound(shape.number, limit);
      return true;
    },
    deny: ({ limit }) => ofNumbers((number) => addOpposite(number, limit)),
    exercise: () => ({ op: "kinds", kinds: numbers }),
    content: ({ limit }) => `${kind} ${limit}`,
    edges: ({ limit }, value) => (hasEdge && typeof value === "number" ? [limit] : []),
  };
}

/** In draft-04 a boolean keyword beside the bound excludes the limit. */
const inclusive =
  (kind: "minimum" | "maximum", exclusive: "exclusiveMinimum" | "exclusiveMaximum"): Reader =>
  (site, value) =>
    Array.isArray(value)
      ? [{ kind: value[1] === true ? exclusive : kind, site, limit: value[0] as number }]
      : [{ kind, site, limit: value as number }];

const exclusive =
  (kind: "exclusiveMinimum" | "exclusiveMaximum"): Reader =>
  (site, value) =>
    typeof value === "number" ? [{ kind, site, limit: value }] : [];

export function limitAbove(number: Shape["number"], limit: number, open: boolean): void {
  if (limit < number.high || (limit === number.high && open)) Object.assign(number, { high: limit, highOpen: open });
}

export function limitBelow(number: Shape["number"], limit: number, open: boolean): void {
  if (limit > number.low || (limit === number.low && open)) Object.assign(number, { low: limit, lowOpen: open });
}

export const minimum: KeywordHandler<"minimum"> = boundKeyword("minimum", {
  read: inclusive("minimum", "exclusiveMinimum"),
  allows: (value, limit) => value >= limit,
  addBound: (number, limit) => limitBelow(number, limit, false),
  addOpposite: (number, limit) => limitAbove(number, limit, true),
  hasEdge: true,
});

export const maximumKeyword: KeywordHandler<"maximum"> = boundKeyword("maximum", {
  read: inclusive("maximum", "exclusiveMaximum"),
  allows: (value, limit) => value <= limit,
  addBound: (number, limit) => limitAbove(number, limit, false),
  addOpposite: (number, limit) => limitBelow(number, limit, true),
  hasEdge: true,
});

export const exclusiveMinimum: KeywordHandler<"exclusiveMinimum"> = boundKeyword("exclusiveMinimum", {
  read: exclusive("exclusiveMinimum"),
  allows: (value, limit) => value > limit,
  addBound: (number, limit) => limitBelow(number, limit, true),
  addOpposite: (number, limit) => limitAbove(number, limit, false),
});

export const exclusiveMaximum: KeywordHandler<"exclusiveMaximum"> = boundKeyword("exclusiveMaximum", {
  read: exclusive("exclusiveMaximum"),
  allows: (value, limit) => value < limit,
  addBound: (number, limit) => limitAbove(number, limit, true),
  addOpposite: (number, limit) => limitBelow(number, limit, false),
});
