import { isObject, type Json } from "../../schemas/index.ts";
import type { Formula } from "../formulas/formula.ts";
import { childrenOf, handlerOf } from "../keywords/table.ts";
import { type Keyword, type Location, type Model, nodeAt, type Scope } from "../model/model.ts";

/** Returns a key that is the same for schemas with the same content, wherever they are. Schemas in a cycle of references have different keys. */
export function schemaKey(model: Model, location: Location): string {
  let keys = keysOfModels.get(model.nodes);
  if (keys === undefined) {
    keys = { byContent: new Map(), byLocation: new Map() };
    keysOfModels.set(model.nodes, keys);
  }
  return keyOfSchema(model, keys, location);
}

interface ModelKeys {
  byLocation: Map<Location, string>;
  /** The number of each schema content. */
  byContent: Map<string, number>;
}

const keysOfModels = new WeakMap<Model["nodes"], ModelKeys>();

function keyOfSchema(model: Model, keys: ModelKeys, location: Location): string {
  const knownKey = keys.byLocation.get(location);
  if (knownKey !== undefined) return knownKey;
  // Until the key is known, a reference back represents this schema.
  keys.byLocation.set(location, location);
  const { always, keywords, resource } = nodeAt(model, location);
  const hasAnchors = Object.keys(model.anchors).length > 0;
  const content = JSON.stringify([
    always,
    hasAnchors ? resource : "",
    keywords.map((keyword) => keywordContent(keyword, (child) => keyOfSchema(model, keys, child))),
  ]);
  const contentNumber = keys.byContent.get(content) ?? keys.byContent.size;
  keys.byContent.set(content, contentNumber);
  keys.byLocation.set(location, `#${contentNumber}`);
  return `#${contentNumber}`;
}

/** Returns the content of a keyword: without its location, and with keys in place of its schemas. */
function keywordContent(keyword: Keyword, keyOfChild: (location: Location) => string): unknown {
  const { relocate } = handlerOf(keyword);
  if (relocate === undefined && childrenOf(keyword).length > 0) return keyword.site;
  const { site: _, ...rest } = relocate?.(keyword, keyOfChild) ?? keyword;
  return JSON.parse(JSON.stringify(rest, (_key, value) => (value instanceof RegExp ? String(value) : value)));
}

export function scopeKey(scope: Scope): string {
  return Object.keys(scope).length === 0 ? "" : JSON.stringify(scope);
}

const identities = new WeakMap<object, number>();
// The count is global, so that two objects never share a key.
let count = 0;

/** Returns a key that only this object has. */
export function identity(object: object): string {
  let number = identities.get(object);
  if (number === undefined) {
    count += 1;
    number = count;
    identities.set(object, number);
  }
  return `@${number}`;
}

/** Returns a key that is the same for formulas with the same demands, as far as this is recognised. */
export function formulaKey(model: Model, formula: Formula): string {
  switch (formula.op) {
    case "schema":
      if (formula.focus !== undefined || (formula.into?.length ?? 0) > 0) return identity(formula);
      return `${formula.sign ? "" : "not "}${schemaKey(model, formula.node)}${scopeKey(formula.scope)}`;
    case "and":
    case "or":
      return `${formula.op}(${formula.of.map((each) => formulaKey(model, each)).join(",")})`;
    case "kinds":
      return `kinds ${formula.kinds}`;
    case "in":
    case "out":
      return `${formula.op} ${identity(formula.values)}`;
    case "facet":
      return identity(formula);
  }
}

/** Returns a key that is the same for equal values, in any order of members. */
export function valueKey(value: Json): string {
  return JSON.stringify(value, (_key, each: Json) =>
    isObject(each)
      ? Object.fromEntries(Object.entries(each).sort(([first], [second]) => (first < second ? -1 : 1)))
      : each,
  );
}
