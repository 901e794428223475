import { equal, isObject, type Json, type JsonObject, pointer } from "../../schemas/index.ts";
import { toil } from "./effort.ts";
import {
  enter,
  type Keyword,
  type KeywordOf,
  type Location,
  type Model,
  nodeAt,
  resolveDynamic,
  type Scope,
} from "./model.ts";
import { isType, numberHolds, stringHolds } from "./scalar.ts";

export interface Evaluation {
  /**
   * Asserts formats. A value on which the format implementations differ counts as `formatDoubt` (default: it fails), so that
   * a generator never builds on doubt.
   */
  formatDoubt?: boolean;
  /** Formats are annotations: nothing breaks them. */
  ignoreFormats?: boolean;
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

/** Small methods instead of closures: this is the hottest code of the generator. */
class Evaluator {
  readonly #model: Model;
  readonly #without: Location | undefined;
  readonly #doubt: boolean;
  readonly #formats: boolean;
  readonly #observe: Evaluation["observe"];

  constructor(model: Model, { without, formatDoubt, ignoreFormats, observe }: Evaluation) {
    this.#model = model;
    this.#without = without;
    this.#doubt = formatDoubt ?? false;
    this.#formats = ignoreFormats !== true;
    this.#observe = observe;
  }

  schema(location: Location, value: Json, at: string, outer: Scope, marks: Marks | undefined): boolean {
    const node = nodeAt(this.#model, location);
    if (node.always !== undefined) return node.always || this.#without === location;
    const scope = enter(this.#model, node, outer);
    toil(node.keywords.length / 5);
    const own: Marks | undefined =
      marks !== undefined || node.marks ? { properties: new Set(), items: new Set() } : undefined;
    let valid = true;
    for (const keyword of node.keywords) {
      const holds = this.#without === keyword.site || this.#keyword(keyword, value, at, scope, own);
      this.#observe?.(keyword, at, value, holds);
      if (holds) continue;
      // Without an observer nothing more is to be learnt: what does not hold leaves no marks.
      if (this.#observe === undefined) return false;
      valid = false;
    }
    if (valid && marks !== undefined && own !== undefined) {
      for (const name of own.properties) marks.properties.add(name);
      for (const index of own.items) marks.items.add(index);
    }
    return valid;
  }

  #keyword(keyword: Keyword, value: Json, at: string, scope: Scope, marks: Marks | undefined): boolean {
    switch (keyword.kind) {
      case "ref":
        return this.schema(keyword.node, value, at, scope, marks);
      case "dynamicRef":
        return this.schema(resolveDynamic(this.#model, keyword, scope), value, at, scope, marks);
      case "allOf":
        return this.#holding(keyword.nodes, value, at, scope, marks) === keyword.nodes.length;
      case "anyOf":
        // Every branch is evaluated, since each one that holds may leave marks.
        return this.#holding(keyword.nodes, value, at, scope, marks) > 0 || this.#isEntry(keyword.site);
      case "oneOf":
        return this.#holding(keyword.nodes, value, at, scope, marks) === 1;
      case "not":
        return !this.schema(keyword.node, value, at, scope, undefined);
      case "if": {
        const branch = this.schema(keyword.condition, value, at, scope, marks) ? keyword.then : keyword.else;
        return branch === undefined || this.schema(branch, value, at, scope, marks);
      }
      case "type":
        for (const type of keyword.types) if (isType(type, value)) return true;
        return false;
      case "enum":
        toil(keyword.values.length / 40);
        for (const each of keyword.values) if (equal(each, value)) return true;
        return false;
      case "const":
        return equal(keyword.value, value);
    }
    if (typeof value === "number") return numberHolds(keyword, value);
    if (typeof value === "string") {
      return (keyword.kind === "format" && !this.#formats) || stringHolds(keyword, value, this.#doubt);
    }
    if (Array.isArray(value)) return this.#array(keyword, value, at, scope, marks);
    if (isObject(value)) return this.#object(keyword, value, at, scope, marks);
    return true;
  }

  #holding(nodes: readonly Location[], value: Json, at: string, scope: Scope, marks: Marks | undefined): number {
    let found = 0;
    for (const node of nodes) if (this.schema(node, value, at, scope, marks)) found += 1;
    return found;
  }

  /** Whether the site left out is one entry of this keyword. */
  #isEntry(site: Location): boolean {
    const without = this.#without;
    return without?.startsWith(`${site}/`) === true && /^[0-9]+$/.test(without.slice(site.length + 1));
  }

  #item(node: Location, value: readonly Json[], index: number, at: string, scope: Scope): boolean {
    const inside = this.#observe === undefined ? "" : `${at}/${index}`;
    return this.schema(node, value[index] as Json, inside, scope, undefined);
  }

  #array(keyword: Keyword, value: Json[], at: string, scope: Scope, marks: Marks | undefined): boolean {
    let valid = true;
    switch (keyword.kind) {
      case "minItems":
        return value.length >= keyword.limit;
      case "maxItems":
        return value.length <= keyword.limit;
      case "uniqueItems":
        return !hasRepeated(value);
      case "prefixItems":
        for (let index = 0; index < Math.min(keyword.nodes.length, value.length); index += 1) {
          marks?.items.add(index);
          if (!this.#item(keyword.nodes[index] as Location, value, index, at, scope)) valid = false;
        }
        return valid;
      case "items":
        for (let index = keyword.from; index < value.length; index += 1) {
          marks?.items.add(index);
          if (!this.#item(keyword.node, value, index, at, scope)) valid = false;
        }
        return valid;
      case "contains": {
        let found = 0;
        for (let index = 0; index < value.length; index += 1) {
          if (!this.#item(keyword.node, value, index, at, scope)) continue;
          found += 1;
          if (keyword.marks) marks?.items.add(index);
        }
        return found >= keyword.min && found <= keyword.max;
      }
      case "unevaluatedItems":
        for (let index = 0; index < value.length; index += 1) {
          if (marks?.items.has(index)) continue;
          marks?.items.add(index);
          if (!this.#item(keyword.node, value, index, at, scope)) valid = false;
        }
        return valid;
      default:
        return true;
    }
  }

  #member(
    node: Location,
    value: JsonObject,
    name: string,
    at: string,
    scope: Scope,
    marks: Marks | undefined,
  ): boolean {
    marks?.properties.add(name);
    const inside = this.#observe === undefined ? "" : pointer.append(at, name);
    return this.schema(node, value[name] as Json, inside, scope, undefined);
  }

  #object(keyword: Keyword, value: JsonObject, at: string, scope: Scope, marks: Marks | undefined): boolean {
    let valid = true;
    switch (keyword.kind) {
      case "required":
        for (const [index, name] of keyword.names.entries()) {
          if (!Object.hasOwn(value, name) && this.#without !== `${keyword.site}/${index}`) return false;
        }
        return true;
      case "minProperties":
        return Object.keys(value).length >= keyword.limit;
      case "maxProperties":
        return Object.keys(value).length <= keyword.limit;
      case "properties":
        for (const [name, node] of keyword.entries) {
          if (Object.hasOwn(value, name) && !this.#member(node, value, name, at, scope, marks)) valid = false;
        }
        return valid;
      case "patternProperties":
        for (const [, regexp, node] of keyword.entries) {
          for (const name of Object.keys(value)) {
            if (regexp.test(name) && !this.#member(node, value, name, at, scope, marks)) valid = false;
          }
        }
        return valid;
      case "additionalProperties":
        for (const name of Object.keys(value)) {
          if (isAdditional(keyword, name) && !this.#member(keyword.node, value, name, at, scope, marks)) valid = false;
        }
        return valid;
      case "propertyNames":
        for (const name of Object.keys(value)) {
          if (!this.schema(keyword.node, name, pointer.append(at, name), scope, undefined)) valid = false;
        }
        return valid;
      case "dependentRequired":
        for (const [name, required] of keyword.entries) {
          if (Object.hasOwn(value, name) && !required.every((each) => Object.hasOwn(value, each))) return false;
        }
        return true;
      case "dependentSchemas":
        for (const [name, node] of keyword.entries) {
          if (Object.hasOwn(value, name) && !this.schema(node, value, at, scope, marks)) valid = false;
        }
        return valid;
      case "unevaluatedProperties":
        for (const name of Object.keys(value)) {
          if (!marks?.properties.has(name) && !this.#member(keyword.node, value, name, at, scope, marks)) valid = false;
        }
        return valid;
      default:
        return true;
    }
  }
}

function isAdditional(keyword: KeywordOf<"additionalProperties">, name: string): boolean {
  if (keyword.names.includes(name)) return false;
  for (const [, regexp] of keyword.patterns) if (regexp.test(name)) return false;
  return true;
}

/** Whether two items are equal. Scalars are compared by a set, so that long lists of them stay cheap. */
function hasRepeated(items: readonly Json[]): boolean {
  const scalars = new Set<Json>();
  const others: Json[] = [];
  for (const item of items) {
    if (typeof item === "object" && item !== null) {
      for (const other of others) if (equal(item, other)) return true;
      others.push(item);
    } else if (scalars.has(item)) return true;
    else scalars.add(item);
  }
  return false;
}
