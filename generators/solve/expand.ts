import { equal, type Json } from "../../schemas/index.ts";
import { enter, type Keyword, type Location, nodeAt, resolveDynamic, type Scope } from "../model/model.ts";
import { deny, having, lacks, restOf } from "./deny.ts";
import { always, type Collector, type Focus, type Formula, kinds, kindsOf, negate, type Shape } from "./formula.ts";
import type { Dead, Search } from "./search.ts";
import { cloneShape, isEmpty, openShape } from "./shape.ts";

/**
 * All shapes of a conjunction of formulas, lazily: their union is exactly what the formulas ask for. Whatever is certain is taken in
 * before a choice is made, so that contradictions show early.
 */
export function* expand(search: Search, formulas: readonly Formula[], dead: readonly Dead[] = []): Generator<Shape> {
  yield* walk(search, dead, openShape(), [...formulas], []);
}

type Choice = readonly Formula[];

function* walk(
  search: Search,
  dead: readonly Dead[],
  shape: Shape,
  todo: Formula[],
  choices: Choice[],
): Generator<Shape> {
  for (let formula = todo.pop(); formula !== undefined; formula = todo.pop()) {
    search.spend();
    if (!take(search, shape, formula, todo, choices)) return;
  }
  if (isEmpty(shape) || isDead(shape, dead)) return;
  // The smallest choice first: it fails soonest.
  let next = -1;
  choices.forEach((choice, index) => {
    if (next < 0 || choice.length < (choices[next] as Choice).length) next = index;
  });
  const choice = choices[next];
  if (choice === undefined) {
    settle(shape);
    if (!isEmpty(shape)) yield shape;
    return;
  }
  const rest = choices.filter((_, index) => index !== next);
  for (const alternative of search.order(choice)) {
    yield* walk(search, dead, cloneShape(shape), [alternative], [...rest]);
    if (isDead(shape, dead)) return;
  }
}

/** Takes objects out of a shape that demands a member known to be impossible; true when nothing is left. */
function isDead(shape: Shape, dead: readonly Dead[]): boolean {
  for (const { name, formulas } of dead) {
    if (!shape.object.required.has(name)) continue;
    let present = 0;
    for (const { formula } of shape.object.each) if (formulas.has(formula)) present += 1;
    if (present === formulas.size) shape.kinds &= ~kinds.object;
  }
  return shape.kinds === 0;
}

/** Takes one formula into the shape; false when it contradicts what is there. */
function take(search: Search, shape: Shape, formula: Formula, todo: Formula[], choices: Choice[]): boolean {
  switch (formula.op) {
    case "and":
      todo.push(...[...formula.of].reverse());
      return true;
    case "or":
      if (formula.of.length === 0) return false;
      if (formula.of.length === 1) todo.push(formula.of[0] as Formula);
      else choices.push(formula.of);
      return true;
    case "in":
      shape.in = shape.in === undefined ? formula.values : shape.in.filter((value) => isAmong(value, formula.values));
      return shape.in.length > 0;
    case "out":
      shape.out = [...shape.out, ...formula.values];
      return true;
    case "kinds":
      shape.kinds &= formula.kinds;
      return shape.kinds !== 0;
    case "facet":
      shape.kinds &= formula.kinds;
      if (shape.kinds === 0) return false;
      formula.constrain(shape);
      return true;
    case "schema":
      return takeSchema(search, shape, formula, todo, choices);
  }
}

function isAmong(value: Json, values: readonly Json[]): boolean {
  return values.some((each) => equal(each, value));
}

function takeSchema(
  search: Search,
  shape: Shape,
  formula: Extract<Formula, { op: "schema" }>,
  todo: Formula[],
  choices: Choice[],
): boolean {
  const { model } = search;
  const node = nodeAt(model, formula.node);
  const { focus, sign } = formula;
  if (node.always !== undefined) {
    const broken = focus?.steps.length === 0 && "break" in focus.end && focus.end.break === node.location;
    return node.always === sign || broken;
  }
  const scope = enter(model, node, formula.scope);
  if (focus === undefined) {
    const key = `${formula.node}${scopeKey(scope)}`;
    const before = judgedBefore(shape, key);
    if (before === sign && formula.into === undefined) return true;
    if (before !== undefined && before !== sign) return false;
    shape.judged.own.set(key, sign);
  }
  const unevaluated = node.keywords.filter((keyword) => keyword.kind.startsWith("unevaluated"));
  if (!sign) {
    const alternatives = node.keywords
      .filter((keyword) => !unevaluated.includes(keyword))
      .map((keyword) => deny(model, keyword, scope))
      .flatMap((each) => (each.op === "or" ? each.of : [each]));
    for (const { site } of unevaluated) {
      alternatives.push({
        op: "schema",
        node: node.location,
        sign: true,
        scope,
        focus: { steps: [], end: { break: site } },
      });
    }
    todo.push({ op: "or", of: alternatives });
    return true;
  }
  let into = formula.into ?? [];
  if (unevaluated.length > 0) {
    const id = shape.collectors.size;
    shape.collectors = new Map(shape.collectors).set(id, newCollector());
    into = [...into, id];
  }
  const [step, ...steps] = focus?.steps ?? [];
  const end = step === undefined ? focus?.end : undefined;
  if (end !== undefined && "also" in end) todo.push(end.also);
  for (const keyword of node.keywords) {
    const broken = end !== undefined && "break" in end && isUnder(end.break, keyword.site) ? end.break : undefined;
    const way =
      focus !== undefined && step?.site === keyword.site
        ? { key: step.key, focus: { steps, end: focus.end } }
        : undefined;
    if (keyword.kind === "unevaluatedProperties" || keyword.kind === "unevaluatedItems") {
      const collector = shape.collectors.get(into.at(-1) as number) as Collector;
      const inner: Formula = { op: "schema", node: keyword.node, sign: true, scope };
      const focused: Formula | undefined = way === undefined ? undefined : { ...inner, focus: way.focus };
      collector[keyword.kind === "unevaluatedProperties" ? "members" : "items"] = {
        formula: inner,
        sign: broken === undefined,
        focused,
      };
      // What was left unevaluated is evaluated by this keyword.
      for (const id of into.slice(0, -1)) {
        const outer = shape.collectors.get(id) as Collector;
        outer[keyword.kind === "unevaluatedProperties" ? "allMembers" : "allItems"] = true;
      }
    } else if (broken !== undefined) todo.push(deny(model, keyword, scope, broken));
    else if (!assert(search, shape, keyword, scope, into, way, todo, choices)) return false;
  }
  return true;
}

function judgedBefore(shape: Shape, key: string): boolean | undefined {
  for (let layer: Shape["judged"] | undefined = shape.judged; layer !== undefined; layer = layer.outer) {
    const sign = layer.own.get(key);
    if (sign !== undefined) return sign;
  }
  return undefined;
}

function scopeKey(scope: Scope): string {
  return Object.keys(scope).length === 0 ? "" : JSON.stringify(scope);
}

function newCollector(): Collector {
  return { names: new Set(), patterns: [], allMembers: false, prefix: 0, allItems: false, contains: [] };
}

function isUnder(location: Location, site: Location): boolean {
  return location === site || location.startsWith(`${site}/`);
}

type Way = { key: string | number | undefined; focus: Focus };

/** Takes a keyword's assertion into the shape. */
function assert(
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
            of: keyword.nodes.map((node, index) => (set.includes(index) ? inPlace(node, index) : not(node))),
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
            of: keyword.nodes.map((node, index) => (index === chosen ? inPlace(node, index) : not(node))),
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
        of: [not(keyword.condition), keyword.else === undefined ? always : inPlace(keyword.else, "else")],
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

/** Turns what was collected for `unevaluated*` into constraints on the rest, once every choice is made. */
function settle(shape: Shape): void {
  for (const { names, patterns, allMembers, prefix, allItems, contains, members, items } of shape.collectors.values()) {
    if (members !== undefined) {
      const test = { of: "rest", names, patterns } as const;
      const { formula, sign, focused } = members;
      if (sign && !allMembers)
        shape.object.each.push({
          test,
          formula: focused === undefined ? formula : { op: "or", of: [formula, focused] },
        });
      if (!sign || focused !== undefined) {
        shape.kinds &= allMembers ? 0 : kinds.object;
        shape.object.some.push({ test, formula: focused ?? negate(formula) });
      }
    }
    if (items !== undefined) {
      const { formula, sign, focused } = items;
      const wanted = focused === undefined ? formula : ({ op: "or", of: [formula, focused] } as const);
      if (sign && !allItems)
        shape.array.each.push({ from: prefix, to: Infinity, formula: { op: "or", of: [wanted, ...contains] } });
      if (!sign || focused !== undefined) {
        shape.kinds &= allItems ? 0 : kinds.array;
        shape.array.some.push({
          from: prefix,
          to: Infinity,
          formula: { op: "and", of: [focused ?? negate(formula), ...contains.map(negate)] },
        });
      }
    }
  }
}
