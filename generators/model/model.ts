import type { Json } from "../../schemas/index.ts";
import type { Effort } from "./effort.ts";

/** Absolute location of a schema or keyword: `SCHEMA_ID#/json/pointer`, the pointer not percent-encoded. */
export type Location = string;

/** A schema compiled to a flat tree: every reference is resolved to a location. */
export interface Model {
  root: Location;
  nodes: ReadonlyMap<Location, Node>;
  /** Dynamic anchors of each schema resource, by its id. */
  anchors: Readonly<Record<string, Scope>>;
  /** Counts the work that is done with the model, if work is limited. */
  effort?: Effort;
  /** Whether the values of the schema are sent as strings, like parameters of a request, so that a number is indistinguishable from a string. */
  asText?: true;
}

/** Dynamic scope: anchor name to location. The outermost wins. */
export type Scope = Readonly<Record<string, Location>>;

/** One schema (a boolean schema has `always` and no keywords). Keywords are in evaluation order. */
export interface Node {
  location: Location;
  resource: string;
  always?: boolean;
  keywords: Keyword[];
  /** Whether one of the keywords depends on the evaluation of the others. */
  marks?: boolean;
}

export type NumberKeyword = "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf";
export type CountKeyword = "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties";

/** One assertion or applicator. `site` is the absolute location of the keyword. */
export type Keyword = { site: Location } & (
  | { kind: "type"; types: string[] }
  | { kind: "enum"; values: Json[] }
  | { kind: "const"; value: Json }
  | Each<NumberKeyword | CountKeyword, { limit: number }>
  | { kind: "pattern"; source: string; regexp: RegExp }
  | { kind: "format"; format: string }
  | { kind: "required"; names: string[] }
  | { kind: "dependentRequired"; entries: [name: string, required: string[]][] }
  | { kind: "uniqueItems" }
  | { kind: "properties"; entries: [name: string, node: Location][] }
  | { kind: "patternProperties"; entries: [source: string, regexp: RegExp, node: Location][] }
  | { kind: "additionalProperties"; names: string[]; patterns: [source: string, regexp: RegExp][]; node: Location }
  | { kind: "propertyNames"; node: Location }
  | { kind: "unevaluatedProperties"; node: Location }
  | { kind: "unevaluatedItems"; node: Location }
  | { kind: "prefixItems"; nodes: Location[] }
  | { kind: "items"; from: number; node: Location }
  | { kind: "contains"; node: Location; min: number; max: number; marks: boolean }
  | { kind: "dependentSchemas"; entries: [name: string, node: Location][] }
  | Each<"allOf" | "anyOf" | "oneOf", { nodes: Location[] }>
  | { kind: "not"; node: Location }
  | { kind: "if"; condition: Location; then?: Location; else?: Location }
  | { kind: "ref"; node: Location }
  | { kind: "dynamicRef"; resource: string; anchor: string; node: Location }
);

/** One type for each of several kinds. */
type Each<K, More> = K extends string ? { kind: K } & More : never;

export type KeywordOf<K extends Keyword["kind"]> = Extract<Keyword, { kind: K }>;

/** One assertion: a keyword, or one entry of it that asserts separately. */
export interface Site {
  location: Location;
  keyword: Keyword;
  /** The index of the entry, if the keyword has several that assert. */
  entry?: number;
}

/** One step of an evaluation path: a keyword and, if it has several children, the key of one. */
export interface EvaluationStep {
  /** The schema that contains the keyword. */
  node: Location;
  site: Location;
  kind: Keyword["kind"];
  key?: string | number;
}

export function nodeAt(model: Model, location: Location): Node {
  const node = model.nodes.get(location);
  if (node === undefined) throw new Error(`the model has no schema at ${location}`);
  return node;
}

/** Returns the scope inside a node: its resource's anchors, unless an outer resource has the same. */
export function scopeInside(model: Model, node: Node, scope: Scope): Scope {
  const ownAnchors = model.anchors[node.resource];
  if (ownAnchors === undefined) return scope;
  for (const name of Object.keys(ownAnchors)) if (!Object.hasOwn(scope, name)) return { ...ownAnchors, ...scope };
  return scope;
}

/** Returns a key that is equal for equal scopes. Most scopes are empty, with the empty key. */
export function scopeKey(scope: Scope): string {
  for (const _ in scope) return JSON.stringify(scope);
  return "";
}

/** Returns the target of a dynamic reference in this scope. */
export function resolveDynamic(model: Model, keyword: KeywordOf<"dynamicRef">, scope: Scope): Location {
  const ownAnchors = model.anchors[keyword.resource] ?? {};
  if (!Object.hasOwn(ownAnchors, keyword.anchor)) return keyword.node;
  return scope[keyword.anchor] ?? (ownAnchors[keyword.anchor] as Location);
}
