import { isObject, type Json } from "../../schemas/index.ts";
import { type Formula, facet } from "../formulas/formula.ts";
import { everyKind, kindOf, kinds } from "../formulas/kinds.ts";

/**
 * Makes a formula for every value except this one, with one alternative for each kind of difference. With it, a search can prove that there is no
 * other value without trying values one by one.
 */
export function otherThan(value: Json): Formula {
  const otherKind: Formula = { op: "kinds", kinds: everyKind & ~kindOf(value) };
  if (Array.isArray(value)) return { op: "or", of: [otherKind, ...otherArrays(value)] };
  if (isObject(value)) return { op: "or", of: [otherKind, ...otherObjects(value)] };
  return { op: "out", values: [value] };
}

function otherArrays(value: readonly Json[]): Formula[] {
  const ofSize = (min: number, max: number) =>
    facet(kinds.array, ({ array }) => {
      array.min = Math.max(array.min, min);
      array.max = Math.min(array.max, max);
    });
  const { length } = value;
  return [
    ...(length === 0 ? [] : [ofSize(0, length - 1)]),
    ofSize(length + 1, Number.POSITIVE_INFINITY),
    ...value.map((item, index): Formula => {
      const hasOtherItem = facet(kinds.array, ({ array }) => {
        array.each.push({ from: index, to: index + 1, formula: otherThan(item) });
      });
      return { op: "and", of: [ofSize(length, length), hasOtherItem] };
    }),
  ];
}

function otherObjects(value: Readonly<Record<string, Json>>): Formula[] {
  const objectFacet = (constrain: Parameters<typeof facet>[1]) => facet(kinds.object, constrain);
  const names = Object.keys(value);
  return [
    objectFacet(({ object }) => {
      object.min = Math.max(object.min, names.length + 1);
    }),
    ...names.flatMap((name) => [
      objectFacet(({ object }) => {
        object.forbidden.add(name);
      }),
      objectFacet(({ object }) => {
        object.required.add(name);
        object.each.push({ test: { of: "name", name }, formula: otherThan(value[name] as Json) });
      }),
    ]),
  ];
}
