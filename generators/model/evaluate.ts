import { equal, isObject, type Json, pointer, typeOf } from "../../schemas/index.ts";
import { formatHolds } from "../formats/check.ts";
import { enter, type Keyword, type Location, type Model, nodeAt, resolveDynamic, type Scope } from "./model.ts";

export interface Evaluation {
  /**
   * Asserts formats. A value on which the format implementations differ counts as `formatDoubt` (default: it fails), so that
   * a generator never builds on doubt.
   */
  formatDoubt?: boolean;
  /** A site that is taken as fulfilled wherever it is evaluated: the schema without it. */
  without?: Location;
  /** Called for every keyword evaluated, in order, with its outcome. */
  observe?: (keyword: Keyword, at: string, value: Json, holds: boolean) => void;
}

interface Marks {
  properties: Set<string>;
  items: Set<number>;
}

/** Whether the instance is valid. Recursion ends with the instance; a reference loop without progress throws a RangeError. */
export function isValid(model: Model, instance: Json, evaluation: Evaluation = {}): boolean {
  return holdsAt(model, model.root, instance, evaluation);
}

/** Whether a value is valid against one of the model's schemas. */
export function holdsAt(
  model: Model,
  node: Location,
  value: Json,
  evaluation: Evaluation = {},
  scope: Scope = {},
): boolean {
  return new Evaluator(model, evaluation).schema(node, value, "", scope, undefined);
}

class Evaluator {
  readonly #model: Model;
  readonly #options: Evaluation;

  constructor(model: Model, options: Evaluation) {
    this.#model = model;
    this.#options = options;
  }

  schema(location: Location, value: Json, at: string, outer: Scope, marks: Marks | undefined): boolean {
    const node = nodeAt(this.#model, location);
    if (node.always !== undefined) return node.always || this.#options.without === location;
    const scope = enter(this.#model, node, outer);
    const needsMarks = marks !== undefined || node.keywords.some((keyword) => keyword.kind.startsWith("unevaluated"));
    const own: Marks | undefined = needsMarks ? { properties: new Set(), items: new Set() } : undefined;
    let valid = true;
    for (const keyword of node.keywords) {
      const holds = this.#options.without === keyword.site || this.#keyword(keyword, value, at, scope, own);
      this.#options.observe?.(keyword, at, value, holds);
      if (!holds) valid = false;
    }
    if (valid && marks !== undefined && own !== undefined) {
      for (const name of own.properties) marks.properties.add(name);
      for (const index of own.items) marks.items.add(index);
    }
    return valid;
  }

  #keyword(keyword: Keyword, value: Json, at: string, scope: Scope, marks: Marks | undefined): boolean {
    const here = (node: Location) => this.schema(node, value, at, scope, marks);
    switch (keyword.kind) {
      case "ref":
        return here(keyword.node);
      case "dynamicRef":
        return here(resolveDynamic(this.#model, keyword, scope));
      case "allOf":
        return count(keyword.nodes, here) === keyword.nodes.length;
      case "anyOf":
        if (this.#branchIgnored(keyword.site)) return true;
        return count(keyword.nodes, here) > 0;
      case "oneOf":
        return count(keyword.nodes, here) === 1;
      case "not":
        return !this.schema(keyword.node, value, at, scope, undefined);
      case "if": {
        const branch = here(keyword.condition) ? keyword.then : keyword.else;
        return branch === undefined || here(branch);
      }
      case "type":
        return keyword.types.some((type) => isType(type, value));
      case "enum":
        return keyword.values.some((each) => equal(each, value));
      case "const":
        return equal(keyword.value, value);
    }
    if (typeof value === "number") return numberHolds(keyword, value);
    if (typeof value === "string") return stringHolds(keyword, value, this.#options.formatDoubt ?? false);
    if (Array.isArray(value)) return this.#array(keyword, value, at, scope, marks);
    if (isObject(value)) return this.#object(keyword, value, at, scope, marks);
    return true;
  }

  #branchIgnored(site: Location): boolean {
    return (
      this.#options.without?.startsWith(`${site}/`) === true &&
      /^[0-9]+$/.test(this.#options.without.slice(site.length + 1))
    );
  }

  #array(keyword: Keyword, value: Json[], at: string, scope: Scope, marks: Marks | undefined): boolean {
    const item = (node: Location, index: number) =>
      this.schema(node, value[index] as Json, `${at}/${index}`, scope, undefined);
    switch (keyword.kind) {
      case "minItems":
        return value.length >= keyword.limit;
      case "maxItems":
        return value.length <= keyword.limit;
      case "uniqueItems":
        return value.every((each, index) => !value.slice(0, index).some((other) => equal(each, other)));
      case "prefixItems": {
        let valid = true;
        keyword.nodes.slice(0, value.length).forEach((node, index) => {
          marks?.items.add(index);
          if (!item(node, index)) valid = false;
        });
        return valid;
      }
      case "items": {
        let valid = true;
        for (let index = keyword.from; index < value.length; index += 1) {
          marks?.items.add(index);
          if (!item(keyword.node, index)) valid = false;
        }
        return valid;
      }
      case "contains": {
        let found = 0;
        for (let index = 0; index < value.length; index += 1) {
          if (!item(keyword.node, index)) continue;
          found += 1;
          if (keyword.marks) marks?.items.add(index);
        }
        return found >= keyword.min && found <= keyword.max;
      }
      case "unevaluatedItems": {
        let valid = true;
        for (let index = 0; index < value.length; index += 1) {
          if (marks?.items.has(index)) continue;
          marks?.items.add(index);
          if (!item(keyword.node, index)) valid = false;
        }
        return valid;
      }
      default:
        return true;
    }
  }

  #object(
    keyword: Keyword,
    value: { [name: string]: Json },
    at: string,
    scope: Scope,
    marks: Marks | undefined,
  ): boolean {
    const names = Object.keys(value);
    const has = (name: string) => Object.hasOwn(value, name);
    const member = (node: Location, name: string) =>
      this.schema(node, value[name] as Json, pointer.append(at, name), scope, undefined);
    const each = (wanted: string[], node: Location) => {
      let valid = true;
      for (const name of wanted) {
        marks?.properties.add(name);
        if (!member(node, name)) valid = false;
      }
      return valid;
    };
    switch (keyword.kind) {
      case "required":
        return keyword.names.every((name, index) => has(name) || this.#options.without === `${keyword.site}/${index}`);
      case "minProperties":
        return names.length >= keyword.limit;
      case "maxProperties":
        return names.length <= keyword.limit;
      case "properties":
        return count(keyword.entries, ([name, node]) => !has(name) || each([name], node)) === keyword.entries.length;
      case "patternProperties": {
        const holds = ([, regexp, node]: (typeof keyword.entries)[number]) =>
          each(
            names.filter((name) => regexp.test(name)),
            node,
          );
        return count(keyword.entries, holds) === keyword.entries.length;
      }
      case "additionalProperties":
        return each(
          names.filter(
            (name) => !keyword.names.includes(name) && !keyword.patterns.some(([, regexp]) => regexp.test(name)),
          ),
          keyword.node,
        );
      case "propertyNames":
        return (
          count(names, (name) => this.schema(keyword.node, name, pointer.append(at, name), scope, undefined)) ===
          names.length
        );
      case "dependentRequired":
        return keyword.entries.every(([name, required]) => !has(name) || required.every(has));
      case "dependentSchemas":
        return (
          count(keyword.entries, ([name, node]) => !has(name) || this.schema(node, value, at, scope, marks)) ===
          keyword.entries.length
        );
      case "unevaluatedProperties":
        return each(
          names.filter((name) => !marks?.properties.has(name)),
          keyword.node,
        );
      default:
        return true;
    }
  }
}

/** How many fulfil the test. All are tried, since each may leave marks. */
function count<T>(all: readonly T[], test: (each: T) => boolean): number {
  let found = 0;
  for (const each of all) if (test(each)) found += 1;
  return found;
}

export function isType(type: string, value: Json): boolean {
  if (type === "integer") return typeof value === "number" && Number.isInteger(value);
  return typeOf(value) === type;
}

export function isMultiple(value: number, of: number): boolean {
  if (Number.isInteger(value) && Number.isInteger(of)) return value % of === 0;
  const quotient = value / of;
  return Number.isFinite(quotient) && quotient === Math.round(quotient);
}

function numberHolds(keyword: Keyword, value: number): boolean {
  switch (keyword.kind) {
    case "minimum":
      return value >= keyword.limit;
    case "maximum":
      return value <= keyword.limit;
    case "exclusiveMinimum":
      return value > keyword.limit;
    case "exclusiveMaximum":
      return value < keyword.limit;
    case "multipleOf":
      return isMultiple(value, keyword.limit);
    default:
      return true;
  }
}

/** Length in Unicode code points, as JSON Schema counts. */
export function lengthOf(text: string): number {
  let length = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) index += 1;
    length += 1;
  }
  return length;
}

function stringHolds(keyword: Keyword, value: string, doubt: boolean): boolean {
  switch (keyword.kind) {
    case "minLength":
      return lengthOf(value) >= keyword.limit;
    case "maxLength":
      return lengthOf(value) <= keyword.limit;
    case "pattern":
      return keyword.regexp.test(value);
    case "format":
      return formatHolds(keyword.format, value) ?? doubt;
    default:
      return true;
  }
}
