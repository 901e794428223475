import { type Keyword, type Location, resolveDynamic, type Scope } from "../model/model.ts";
import { having, lacks, restOf } from "./deny.ts";
import { always, type Collector, type Focus, type Formula, kinds, kindsOf, type Shape } from "./formula.ts";
import type { Choice, Search } from "./search.ts";

/** The way that a focus takes through one keyword. */
export type Way = { key: string | number | undefined; focus: Focus };

/** Takes a keyword's assertion into the shape. */
export function assert(
  search: Search,
  shape: Shape,
  keyword: Keyword,
  scope: Scope,
  into: readonly number[],
  way: Way | undefined,
  todo: Formula[],
  choices: Choice[],
): boolean {
  const child = (node: Location, key?: string | number): Formula => ({
    op: "schema",
    node,
    sign: true,
    scope,
    ...(way !== undefined && way.key === key ? { focus: way.focus } : {}),
  });
  // Where several children share one schema, only one of them takes the focused way; the others may stay plain.
  const eitherWay = (node: Location, key?: string): Formula => {
    const plain: Formula = { op: "schema", node, sign: true, scope };
    return way !== undefined && way.key === key ? { op: "or", of: [plain, child(node, key)] } : plain;
  };
  const inPlace = (node: Location, key?: string | number): Formula => ({ ...child(node, key), into }) as Formula;
  const not = (node: Location): Formula => ({ op: "schema", node, sign: false, scope });
  const unless = (node: Location): Formula => search.avoid(not(node));
  const collectors = into.map((id) => shape.collectors.get(id) as Collector);
  const { number, string, array, object } = shape;
  switch (keyword.kind) {
    case "ref":
      todo.push(inPlace(keyword.node));
      return true;
    case "dynamicRef":
      todo.push(inPlace(resolveDynamic(search.model, keyword, scope)));
      return true;
    case "allOf":
      todo.push(...keyword.nodes.map((node, index) => inPlace(node, index)).reverse());
      return true;
    case "anyOf": {
      const chosen = way?.key;
      if (into.length === 0) {
        if (typeof chosen === "number") {
          todo.push(inPlace(keyword.nodes[chosen] as Location, chosen));
          // What breaks one branch alone would pass by another.
          if (way !== undefined && "break" in way.focus.end)
            todo.push(...keyword.nodes.filter((_, index) => index !== chosen).map(not));
        } else choices.push(keyword.nodes.map((node, index) => inPlace(node, index)));
        return true;
      }
      // With `unevaluated*` around, every branch must be decided, since each one that holds marks what it evaluates.
      if (keyword.nodes.length > mostDecided) search.giveUp(`the combinations of ${keyword.nodes.length} branches`);
      choices.push(
        subsets(keyword.nodes.length)
          .filter((set) => way === undefined || goesThrough(set, way))
          .map((set) => ({
            op: "and",
            of: keyword.nodes.map((node, index) => (set.includes(index) ? inPlace(node, index) : unless(node))),
          })),
      );
      return true;
    }
    case "oneOf":
      choices.push(
        keyword.nodes
          .map((_, chosen) => chosen)
          .filter((chosen) => way?.key === undefined || way.key === chosen)
          .map((chosen) => ({
            op: "and",
            of: keyword.nodes.map((node, index) => (index === chosen ? inPlace(node, index) : unless(node))),
          })),
      );
      return keyword.nodes.length > 0;
    case "not":
      todo.push(not(keyword.node));
      return true;
    case "if": {
      const then: Formula = {
        op: "and",
        of: [inPlace(keyword.condition), keyword.then === undefined ? always : inPlace(keyword.then, "then")],
      };
      const otherwise: Formula = {
        op: "and",
        of: [unless(keyword.condition), keyword.else === undefined ? always : inPlace(keyword.else, "else")],
      };
      if (way?.key === "then") todo.push(then);
      else if (way?.key === "else") todo.push(otherwise);
      else if (keyword.then !== undefined || keyword.else !== undefined || into.length > 0)
        choices.push([otherwise, then]);
      return true;
    }
    case "type":
      shape.kinds &= kindsOf(keyword.types);
      return shape.kinds !== 0;
    case "enum":
      todo.push({ op: "in", values: keyword.values });
      return true;
    case "const":
      todo.push({ op: "in", values: [keyword.value] });
      return true;
    case "minimum":
      if (keyword.limit > number.low) Object.assign(number, { low: keyword.limit, lowOpen: false });
      return true;
    case "exclusiveMinimum":
      if (keyword.limit >= number.low) Object.assign(number, { low: keyword.limit, lowOpen: true });
      return true;
    case "maximum":
      if (keyword.limit < number.high) Object.assign(number, { high: keyword.limit, highOpen: false });
      return true;
    case "exclusiveMaximum":
      if (keyword.limit <= number.high) Object.assign(number, { high: keyword.limit, highOpen: true });
      return true;
    case "multipleOf":
      number.multiples.push(keyword.limit);
      return true;
    case "minLength":
      string.min = Math.max(string.min, keyword.limit);
      return true;
    case "maxLength":
      string.max = Math.min(string.max, keyword.limit);
      return true;
    case "pattern":
      string.patterns.push(keyword.regexp);
      return true;
    case "format":
      string.formats.push(keyword.format);
      return true;
    case "minItems":
      array.min = Math.max(array.min, keyword.limit);
      return true;
    case "maxItems":
      array.max = Math.min(array.max, keyword.limit);
      return true;
    case "uniqueItems":
      array.unique = true;
      return true;
    case "prefixItems":
      keyword.nodes.forEach((node, index) => {
        array.each.push({ from: index, to: index + 1, formula: child(node, index) });
      });
      for (const collector of collectors) collector.prefix = Math.max(collector.prefix, keyword.nodes.length);
      if (typeof way?.key === "number") {
        shape.kinds &= kinds.array;
        array.min = Math.max(array.min, way.key + 1);
      }
      return true;
    case "items":
      array.each.push({ from: keyword.from, to: Infinity, formula: eitherWay(keyword.node) });
      for (const collector of collectors) collector.allItems = true;
      if (way !== undefined) {
        shape.kinds &= kinds.array;
        array.some.push({ from: keyword.from, to: Infinity, formula: child(keyword.node) });
      }
      return true;
    case "contains":
      array.contains.push({ formula: child(keyword.node), min: keyword.min, max: keyword.max });
      if (keyword.marks)
        for (const collector of collectors)
          collector.contains.push({ op: "schema", node: keyword.node, sign: true, scope });
      if (way !== undefined) shape.kinds &= kinds.array;
      return true;
    case "minProperties":
      object.min = Math.max(object.min, keyword.limit);
      return true;
    case "maxProperties":
      object.max = Math.min(object.max, keyword.limit);
      return true;
    case "required":
      for (const name of keyword.names) object.required.add(name);
      return true;
    case "properties":
      for (const [name, node] of keyword.entries) {
        object.each.push({ test: { of: "name", name }, formula: child(node, name) });
        for (const collector of collectors) collector.names.add(name);
      }
      if (way !== undefined) {
        shape.kinds &= kinds.object;
        object.required.add(String(way.key));
      }
      return true;
    case "patternProperties":
      for (const [source, regexp, node] of keyword.entries) {
        object.each.push({ test: { of: "pattern", regexp }, formula: eitherWay(node, source) });
        for (const collector of collectors) collector.patterns.push(regexp);
        if (way?.key === source) {
          shape.kinds &= kinds.object;
          object.some.push({ test: { of: "pattern", regexp }, formula: child(node, source) });
        }
      }
      return true;
    case "additionalProperties": {
      const test = restOf(keyword);
      object.each.push({ test, formula: eitherWay(keyword.node) });
      for (const collector of collectors) collector.allMembers = true;
      if (way !== undefined) {
        shape.kinds &= kinds.object;
        object.some.push({ test, formula: child(keyword.node) });
      }
      return true;
    }
    case "propertyNames":
      object.names.push(eitherWay(keyword.node));
      if (way !== undefined) {
        shape.kinds &= kinds.object;
        object.someName.push(child(keyword.node));
      }
      return true;
    case "dependentRequired":
      for (const [name, required] of keyword.entries) choices.push([lacks(name), having([name, ...required])]);
      return true;
    case "dependentSchemas":
      for (const [name, node] of keyword.entries) {
        const chosen: Formula = { op: "and", of: [having([name]), inPlace(node, name)] };
        if (way?.key === name) todo.push(chosen);
        else choices.push([lacks(name), chosen]);
      }
      return true;
  }
  throw new Error(`no reading of ${keyword.kind}`);
}

const mostDecided = 10;

/** All non-empty subsets, small ones first; of too many members only the single ones and the whole. */
function subsets(size: number): number[][] {
  if (size > mostDecided)
    return [...Array.from({ length: size }, (_, index) => [index]), Array.from({ length: size }, (_, index) => index)];
  const all = Array.from({ length: 2 ** size - 1 }, (_, bits) =>
    Array.from({ length: size }, (_, index) => index).filter((index) => ((bits + 1) >> index) & 1),
  );
  return all.sort((a, b) => a.length - b.length);
}

/** Whether the chosen branches have the one on the way, and no other where that one is to be broken. */
function goesThrough(set: readonly number[], { key, focus }: Way): boolean {
  return set.includes(key as number) && (set.length === 1 || !("break" in focus.end));
}
