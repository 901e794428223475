import { type Keyword, type KeywordOf, type Location, type Model, resolveDynamic, type Scope } from "../model/model.ts";
import {
  always,
  everyKind,
  type Formula,
  facet,
  kinds,
  kindsOf,
  type MemberTest,
  numbers,
  type Shape,
} from "./formula.ts";

/**
 * The opposite of a keyword: what the values look like that it refuses. Where `part` names one entry of the keyword
 * (`SITE/INDEX`), only that entry is broken and the others hold.
 */
export function deny(model: Model, keyword: Keyword, scope: Scope, part?: Location): Formula {
  const schema = (node: Location, sign: boolean): Formula => ({ op: "schema", node, sign, scope });
  const yes = (node: Location) => schema(node, true);
  const no = (node: Location) => schema(node, false);
  const number = (constrain: (shape: Shape["number"]) => void) => facet(numbers, (shape) => constrain(shape.number));
  const string = (constrain: (shape: Shape["string"]) => void) =>
    facet(kinds.string, (shape) => constrain(shape.string));
  const array = (constrain: (shape: Shape["array"]) => void) => facet(kinds.array, (shape) => constrain(shape.array));
  const object = (constrain: (shape: Shape["object"]) => void) =>
    facet(kinds.object, (shape) => constrain(shape.object));
  const index = part === undefined || part === keyword.site ? undefined : Number(part.slice(keyword.site.length + 1));
  switch (keyword.kind) {
    case "ref":
      return no(keyword.node);
    case "dynamicRef":
      return no(resolveDynamic(model, keyword, scope));
    case "allOf":
      return { op: "or", of: keyword.nodes.map(no) };
    case "anyOf":
      return { op: "and", of: keyword.nodes.map(no) };
    case "oneOf":
      return {
        op: "or",
        of: [
          { op: "and", of: keyword.nodes.map(no) },
          ...pairs(keyword.nodes).map((pair): Formula => ({ op: "and", of: pair.map(yes) })),
        ],
      };
    case "not":
      return yes(keyword.node);
    case "if": {
      const then: Formula[] =
        keyword.then === undefined ? [] : [{ op: "and", of: [yes(keyword.condition), no(keyword.then)] }];
      const otherwise: Formula[] =
        keyword.else === undefined ? [] : [{ op: "and", of: [no(keyword.condition), no(keyword.else)] }];
      return { op: "or", of: [...then, ...otherwise] };
    }
    case "type":
      return { op: "kinds", kinds: everyKind & ~kindsOf(keyword.types) };
    case "enum":
      return { op: "out", values: keyword.values };
    case "const":
      return { op: "out", values: [keyword.value] };
    case "minimum":
      return number((shape) => below(shape, keyword.limit, true));
    case "exclusiveMinimum":
      return number((shape) => below(shape, keyword.limit, false));
    case "maximum":
      return number((shape) => above(shape, keyword.limit, true));
    case "exclusiveMaximum":
      return number((shape) => above(shape, keyword.limit, false));
    case "multipleOf":
      return number((shape) => shape.notMultiples.push(keyword.limit));
    case "minLength":
      return string((shape) => {
        shape.max = Math.min(shape.max, keyword.limit - 1);
      });
    case "maxLength":
      return string((shape) => {
        shape.min = Math.max(shape.min, keyword.limit + 1);
      });
    case "pattern":
      return string((shape) => shape.notPatterns.push(keyword.regexp));
    case "format":
      return string((shape) => shape.notFormats.push(keyword.format));
    case "minItems":
      return array((shape) => {
        shape.max = Math.min(shape.max, keyword.limit - 1);
      });
    case "maxItems":
      return array((shape) => {
        shape.min = Math.max(shape.min, keyword.limit + 1);
      });
    case "uniqueItems":
      return array((shape) => {
        shape.repeated = true;
      });
    case "prefixItems":
      return {
        op: "or",
        of: keyword.nodes.map((node, at) =>
          array((shape) => shape.some.push({ from: at, to: at + 1, formula: no(node) })),
        ),
      };
    case "items":
      return array((shape) => shape.some.push({ from: keyword.from, to: Infinity, formula: no(keyword.node) }));
    case "contains": {
      const wanted = (min: number, max: number) =>
        array((shape) => shape.contains.push({ formula: yes(keyword.node), min, max }));
      const few = keyword.min > 0 ? [wanted(0, keyword.min - 1)] : [];
      const many = Number.isFinite(keyword.max) ? [wanted(keyword.max + 1, Infinity)] : [];
      return { op: "or", of: [...few, ...many] };
    }
    case "minProperties":
      return object((shape) => {
        shape.max = Math.min(shape.max, keyword.limit - 1);
      });
    case "maxProperties":
      return object((shape) => {
        shape.min = Math.max(shape.min, keyword.limit + 1);
      });
    case "required": {
      const one = (name: string) => object((shape) => shape.forbidden.add(name));
      if (index === undefined) return { op: "or", of: keyword.names.map(one) };
      const others = keyword.names.filter((_, other) => other !== index);
      return { op: "and", of: [one(keyword.names[index] as string), having(others)] };
    }
    case "properties":
      return { op: "or", of: keyword.entries.map(([name, node]) => someMember({ of: "name", name }, no(node))) };
    case "patternProperties":
      return {
        op: "or",
        of: keyword.entries.map(([, regexp, node]) => someMember({ of: "pattern", regexp }, no(node))),
      };
    case "additionalProperties":
      return someMember(restOf(keyword), no(keyword.node));
    case "propertyNames":
      return object((shape) => shape.someName.push(no(keyword.node)));
    case "dependentRequired":
      return {
        op: "or",
        of: keyword.entries.flatMap(([name, required]) =>
          required.map(
            (each): Formula => ({ op: "and", of: [having([name]), object((shape) => shape.forbidden.add(each))] }),
          ),
        ),
      };
    case "dependentSchemas":
      return { op: "or", of: keyword.entries.map(([name, node]) => ({ op: "and", of: [having([name]), no(node)] })) };
    case "unevaluatedProperties":
    case "unevaluatedItems":
      return always;
  }
}

function below(shape: Shape["number"], limit: number, open: boolean): void {
  if (limit < shape.high || (limit === shape.high && open)) Object.assign(shape, { high: limit, highOpen: open });
}

function above(shape: Shape["number"], limit: number, open: boolean): void {
  if (limit > shape.low || (limit === shape.low && open)) Object.assign(shape, { low: limit, lowOpen: open });
}

function someMember(test: MemberTest, formula: Formula): Formula {
  return facet(kinds.object, (shape) => {
    shape.object.some.push({ test, formula });
  });
}

export function restOf(keyword: KeywordOf<"additionalProperties">): MemberTest {
  return { of: "rest", names: new Set(keyword.names), patterns: keyword.patterns.map(([, regexp]) => regexp) };
}

/** Not an object that has this member. */
export function lacks(name: string): Formula {
  return {
    op: "or",
    of: [
      facet(kinds.object, (shape) => shape.object.forbidden.add(name)),
      { op: "kinds", kinds: everyKind & ~kinds.object },
    ],
  };
}

/** An object that has these members. */
export function having(names: readonly string[]): Formula {
  return facet(kinds.object, (shape) => {
    for (const name of names) shape.object.required.add(name);
  });
}

function pairs<T>(all: readonly T[]): [T, T][] {
  return all.flatMap((a, index) => all.slice(index + 1).map((b): [T, T] => [a, b]));
}
