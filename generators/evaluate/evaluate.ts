import { type Json, type JsonObject, pointer } from "../../schemas/index.ts";
import type { KeywordHandler } from "../keywords/handler.ts";
import { handlerOf } from "../keywords/table.ts";
import type { Evaluation, Marks, Visit } from "../keywords/visit.ts";
import type { Effort } from "../model/effort.ts";
import {
  type Keyword,
  type KeywordOf,
  type Location,
  type Model,
  type Node,
  nodeAt,
  resolveDynamic,
  type Scope,
  scopeInside,
} from "../model/model.ts";

/** Whether the instance is valid. Recursion ends at the leaves of the instance. A reference loop that consumes nothing throws a RangeError. */
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

/** Uses small methods instead of closures, because this is the hottest code of the generator. */
class Evaluator {
  readonly model: Model;
  readonly evaluation: Evaluation;
  readonly effort: Effort | undefined;
  readonly observe: Evaluation["observe"];
  readonly #without: Location | undefined;

  constructor(model: Model, evaluation: Evaluation) {
    this.model = model;
    this.evaluation = evaluation;
    this.effort = model.effort;
    this.observe = evaluation.observe;
    this.#without = evaluation.without;
  }

  schema(location: Location, value: Json, at: string, outer: Scope, marks: Marks | undefined): boolean {
    const node = nodeAt(this.model, location);
    if (node.always !== undefined) return node.always || this.#without === location;
    this.effort?.spend(node.keywords.length / 5);
    const ownMarks: Marks | undefined =
      marks !== undefined || node.marks ? { properties: new Set(), items: new Set() } : undefined;
    let visit: SchemaVisit | undefined;
    let valid = true;
    for (const { keyword, site, handler, isPlain } of checksOf(node)) {
      // Most schemas only have keywords that need no visit.
      if (!isPlain) visit ??= new SchemaVisit(this, at, scopeInside(this.model, node, outer), ownMarks);
      // The site of `contains` may stand for either count, so its handler decides.
      const isLeftOut = this.#without === site && keyword.kind !== "contains";
      const holds = isLeftOut || handler.holds(keyword, value, visit as SchemaVisit);
      this.observe?.(keyword, at, value, holds, node);
      if (holds) continue;
      // Without an observer the other keywords are irrelevant: a failed schema leaves no marks.
      if (this.observe === undefined) return false;
      valid = false;
    }
    if (valid && marks !== undefined && ownMarks !== undefined) {
      for (const name of ownMarks.properties) marks.properties.add(name);
      for (const index of ownMarks.items) marks.items.add(index);
    }
    return valid;
  }
}

/** A keyword with the functions for its evaluation, looked up once. Keywords have too many shapes for the engine's inline caches. */
interface KeywordCheck {
  keyword: Keyword;
  site: Location;
  handler: KeywordHandler;
  isPlain: boolean;
}

const checks = new WeakMap<Node, readonly KeywordCheck[]>();

function checksOf(node: Node): readonly KeywordCheck[] {
  let nodeChecks = checks.get(node);
  if (nodeChecks === undefined) {
    nodeChecks = node.keywords.map((keyword) => {
      const handler = handlerOf(keyword);
      return { keyword, site: keyword.site, handler, isPlain: handler.isPlain ?? false };
    });
    checks.set(node, nodeChecks);
  }
  return nodeChecks;
}

/** One schema applied to one value. */
class SchemaVisit implements Visit {
  readonly isObserved: boolean;
  readonly marks: Marks | undefined;
  readonly #evaluator: Evaluator;
  /** The location of the value, if an observer needs it. */
  readonly #at: string;
  readonly #scope: Scope;

  constructor(evaluator: Evaluator, at: string, scope: Scope, marks: Marks | undefined) {
    this.#evaluator = evaluator;
    this.isObserved = evaluator.observe !== undefined;
    this.#at = at;
    this.#scope = scope;
    this.marks = marks;
  }

  get evaluation(): Evaluation {
    return this.#evaluator.evaluation;
  }

  spend(units: number): void {
    this.#evaluator.effort?.spend(units);
  }

  resolve(keyword: KeywordOf<"dynamicRef">): Location {
    return resolveDynamic(this.#evaluator.model, keyword, this.#scope);
  }

  valueHolds(node: Location, value: Json): boolean {
    return this.#evaluator.schema(node, value, this.#at, this.#scope, this.marks);
  }

  valueHoldsUnmarked(node: Location, value: Json): boolean {
    return this.#evaluator.schema(node, value, this.#at, this.#scope, undefined);
  }

  itemHolds(node: Location, items: readonly Json[], index: number): boolean {
    this.marks?.items.add(index);
    return this.itemHoldsUnmarked(node, items, index);
  }

  itemHoldsUnmarked(node: Location, items: readonly Json[], index: number): boolean {
    const itemLocation = this.isObserved ? `${this.#at}/${index}` : "";
    return this.#evaluator.schema(node, items[index] as Json, itemLocation, this.#scope, undefined);
  }

  memberHolds(node: Location, object: JsonObject, name: string): boolean {
    this.marks?.properties.add(name);
    return this.#evaluator.schema(node, object[name] as Json, this.#memberLocation(name), this.#scope, undefined);
  }

  nameHolds(node: Location, name: string): boolean {
    return this.#evaluator.schema(node, name, this.#memberLocation(name), this.#scope, undefined);
  }

  #memberLocation(name: string): string {
    return this.isObserved ? pointer.append(this.#at, name) : "";
  }
}
