import {
  enter,
  type Keyword,
  type Location,
  type Model,
  nodeAt,
  resolveDynamic,
  type Scope,
  type Step,
} from "./model.ts";

/** A place where a schema applies to the instance and must hold: the way there and what the instance location looks like. */
export interface Place {
  node: Location;
  scope: Scope;
  steps: readonly Step[];
  /** Instance location; `*` stands for any item or member name. */
  at: readonly string[];
  /** The last step was taken before, on another way: what lies here has been seen elsewhere. */
  again: boolean;
}

const most = 20_000;

/**
 * Every distinct evaluation path to a schema that must hold, outermost first. A schema is not entered again below itself, so
 * recursion ends.
 */
export function places(model: Model): Place[] {
  const found: Place[] = [];
  const queue: { place: Place; above: readonly Location[] }[] = [
    { place: { node: model.root, scope: {}, steps: [], at: [], again: false }, above: [] },
  ];
  const taken = new Set<string>();
  for (let next = queue.shift(); next !== undefined && found.length < most; next = queue.shift()) {
    const { place, above } = next;
    found.push(place);
    const node = nodeAt(model, place.node);
    const scope = enter(model, node, place.scope);
    for (const keyword of node.keywords) {
      for (const { node: to, key, segment } of children(model, keyword, scope)) {
        if (above.includes(to)) continue;
        const edge = `${keyword.site} ${key} ${to}`;
        queue.push({
          place: {
            node: to,
            scope,
            steps: [...place.steps, key === undefined ? { site: keyword.site } : { site: keyword.site, key }],
            at: segment === undefined ? place.at : [...place.at, segment],
            again: taken.has(edge),
          },
          above: [...above, place.node],
        });
        taken.add(edge);
      }
    }
  }
  return found;
}

interface Child {
  node: Location;
  key?: string | number;
  /** The instance step, absent when the child applies to the same value. */
  segment?: string;
}

/** The subschemas that must hold where the keyword does, on some branch. Not those of `if`, `not` and `contains`: they only choose. */
function children(model: Model, keyword: Keyword, scope: Scope): Child[] {
  switch (keyword.kind) {
    case "ref":
      return [{ node: keyword.node }];
    case "dynamicRef":
      return [{ node: resolveDynamic(model, keyword, scope) }];
    case "allOf":
    case "anyOf":
    case "oneOf":
      return keyword.nodes.map((node, key) => ({ node, key }));
    case "if":
      return (["then", "else"] as const).flatMap((key) => {
        const node = keyword[key];
        return node === undefined ? [] : [{ node, key }];
      });
    case "dependentSchemas":
      return keyword.entries.map(([key, node]) => ({ node, key }));
    case "properties":
      return keyword.entries.map(([key, node]) => ({ node, key, segment: key }));
    case "patternProperties":
      return keyword.entries.map(([key, , node]) => ({ node, key, segment: "*" }));
    case "additionalProperties":
    case "unevaluatedProperties":
    case "propertyNames":
      return [{ node: keyword.node, segment: "*" }];
    case "prefixItems":
      return keyword.nodes.map((node, key) => ({ node, key, segment: String(key) }));
    case "items":
    case "unevaluatedItems":
      return [{ node: keyword.node, segment: "*" }];
    default:
      return [];
  }
}

/** Every assertion of the model that some place reaches: a keyword, or one entry of `required`, each once. */
export function sites(model: Model): Location[] {
  const found = new Set<Location>();
  for (const { node } of places(model))
    for (const keyword of nodeAt(model, node).keywords) for (const site of sitesOf(keyword, model)) found.add(site);
  return [...found];
}

/** The assertions of one keyword: `required` has one an entry, `enum` one a member, `oneOf` and `anyOf` one a branch and one in all. */
export function sitesOf(keyword: Keyword, model: Model): Location[] {
  switch (keyword.kind) {
    case "required":
      return keyword.names.map((_, index) => `${keyword.site}/${index}`);
    case "enum":
      return [keyword.site, ...keyword.values.map((_, index) => `${keyword.site}/${index}`)];
    case "oneOf":
    case "anyOf":
      return [keyword.site, ...keyword.nodes.map((_, index) => `${keyword.site}/${index}`)];
    case "additionalProperties":
    case "unevaluatedProperties":
    case "unevaluatedItems":
    case "items":
      return nodeAt(model, keyword.node).always === false ? [keyword.site] : [];
    case "allOf":
    case "ref":
    case "dynamicRef":
    case "properties":
    case "patternProperties":
    case "prefixItems":
    case "propertyNames":
    case "dependentSchemas":
    case "if":
      return [];
    default:
      return [keyword.site];
  }
}
