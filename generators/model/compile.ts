import { removeUriSchemePlugin } from "@hyperjump/browser";
import { registerSchema, type SchemaObject, unregisterSchema } from "@hyperjump/json-schema/draft-2020-12";
import "@hyperjump/json-schema/draft-2019-09";
import "@hyperjump/json-schema/draft-07";
import "@hyperjump/json-schema/draft-06";
import "@hyperjump/json-schema/draft-04";
import { compile, getSchema } from "@hyperjump/json-schema/experimental";
import { type Json, type JsonObject, TouchstoneError } from "../../schemas/index.ts";
import { guarded } from "../regex/guard.ts";
import type { CountKeyword, Keyword, Location, Model, Node, NumberKeyword, Scope } from "./model.ts";

// Nothing is read from the network, nor from files that nobody gave.
for (const scheme of ["http", "https", "file"]) removeUriSchemePlugin(scheme);

const keywordBase = "https://json-schema.org/keyword/";

type Entry = [id: string, location: string, value: unknown];

let turn: Promise<unknown> = Promise.resolve();

/**
 * Runs a task with the schemas in Hyperjump's registry. The registry is one per process, so tasks take turns and leave it as
 * they found it.
 */
export function withSchemas<T>(schemas: readonly JsonObject[], task: () => Promise<T>): Promise<T> {
  const mine = turn.then(async () => {
    const registered: string[] = [];
    try {
      for (const schema of schemas) {
        const id = identifier(schema);
        registerSchema(schema as SchemaObject, id, "https://json-schema.org/draft/2020-12/schema");
        registered.push(id);
      }
      return await task();
    } finally {
      for (const id of registered) unregisterSchema(id);
    }
  });
  turn = mine.catch(() => undefined);
  return mine;
}

/** The `$id` (or draft-04 `id`) of a schema document, without an empty fragment. */
export function identifier(schema: JsonObject): string {
  const id = schema.$id ?? schema.id;
  if (typeof id !== "string")
    throw new TouchstoneError("usage", "a schema document has no $id", { hint: "give it one, or load it from a file" });
  return id.replace(/#$/, "");
}

/** Compiles the schema `id`, which is among `schemas`, to a model. All references must lead to one of `schemas`. */
export async function compileModel(schemas: readonly JsonObject[], id: string): Promise<Model> {
  const compiled = await withSchemas(schemas, async () => compile(await getSchema(id))).catch(explain);
  const nodes = new Map<Location, Node>();
  const anchors: Record<string, Scope> = {};
  for (const [uri, data] of Object.entries(compiled.ast.metaData)) {
    anchors[uri] = Object.fromEntries(Object.entries(data.dynamicAnchors).map(([name, to]) => [name, plain(to)]));
  }
  for (const [uri, entries] of Object.entries(compiled.ast)) {
    if (uri === "metaData" || uri === "plugins") continue;
    const location = plain(uri);
    const resource = location.slice(0, location.indexOf("#"));
    const node: Node = { location, resource, keywords: [] };
    if (typeof entries === "boolean") node.always = entries;
    else {
      node.keywords = keywordsOf(entries as Entry[]);
      node.marks = node.keywords.some((keyword) => keyword.kind.startsWith("unevaluated"));
    }
    nodes.set(location, node);
  }
  return { root: plain(compiled.schemaUri), nodes, anchors };
}

function explain(error: Error): never {
  const [, uri] = /^Unable to load resource '(.*?)'/.exec(error.message) ?? [];
  if (uri === undefined) throw error;
  throw new TouchstoneError("usage", `the reference to ${uri} refers to what is not there`, {
    hint: "nothing is read from the network: give the schema that holds it",
    cause: error,
  });
}

/** Hyperjump's URI with its fragment as a plain JSON Pointer. */
function plain(uri: string): Location {
  const index = uri.indexOf("#");
  return `${uri.slice(0, index)}#${decodeURI(uri.slice(index + 1))}`;
}

function keywordsOf(entries: Entry[]): Keyword[] {
  const keywords: Keyword[] = [];
  const conditional: { site?: Location; condition?: Location; then?: Location; else?: Location } = {};
  for (const [id, uri, value] of entries) {
    const name = id.slice(keywordBase.length).replace(/^draft-[0-9-]+\//, "");
    const site = plain(uri);
    if (name === "if") Object.assign(conditional, { site, condition: plain(value as string) });
    else if (name === "then" || name === "else") {
      const [condition, branch] = value as [string?, string?];
      if (condition !== undefined && branch !== undefined) conditional[name] = plain(branch);
    } else {
      const read = readers[name];
      if (read !== undefined) keywords.push(...read(site, value, entries));
    }
  }
  const { site, condition } = conditional;
  if (site !== undefined && condition !== undefined) {
    // An `if` without branches still marks what it evaluates.
    const { then, else: otherwise } = conditional;
    const index = keywords.findIndex((keyword) => keyword.kind.startsWith("unevaluated"));
    keywords.splice(index < 0 ? keywords.length : index, 0, {
      kind: "if",
      site,
      condition,
      ...(then === undefined ? {} : { then }),
      ...(otherwise === undefined ? {} : { else: otherwise }),
    });
  }
  return keywords;
}

type Reader = (site: Location, value: unknown, siblings: Entry[]) => Keyword[];

const number =
  (kind: NumberKeyword | CountKeyword): Reader =>
  (site, value) => [{ kind, site, limit: value as number } as Keyword];

/** draft-04 pairs a bound with a boolean. */
const bound =
  (kind: "minimum" | "maximum", exclusive: "exclusiveMinimum" | "exclusiveMaximum"): Reader =>
  (site, value) =>
    Array.isArray(value)
      ? [{ kind: value[1] === true ? exclusive : kind, site, limit: value[0] as number }]
      : [{ kind, site, limit: value as number }];

const exclusiveBound =
  (kind: "exclusiveMinimum" | "exclusiveMaximum"): Reader =>
  (site, value) =>
    typeof value === "number" ? [{ kind, site, limit: value }] : [];

const branches =
  (kind: "allOf" | "anyOf" | "oneOf"): Reader =>
  (site, value) => [{ kind, site, nodes: (value as string[]).map(plain) }];

const child =
  (kind: "propertyNames" | "unevaluatedProperties" | "unevaluatedItems" | "not" | "ref"): Reader =>
  (site, value) => [{ kind, site, node: plain(value as string) } as Keyword];

const readers: Record<string, Reader | undefined> = {
  type: (site, value) => [{ kind: "type", site, types: Array.isArray(value) ? value : [value as string] }],
  enum: (site, value) => [{ kind: "enum", site, values: (value as string[]).map((text) => JSON.parse(text) as Json) }],
  const: (site, value) => [{ kind: "const", site, value: JSON.parse(value as string) as Json }],
  minimum: bound("minimum", "exclusiveMinimum"),
  maximum: bound("maximum", "exclusiveMaximum"),
  exclusiveMinimum: exclusiveBound("exclusiveMinimum"),
  exclusiveMaximum: exclusiveBound("exclusiveMaximum"),
  multipleOf: number("multipleOf"),
  minLength: number("minLength"),
  maxLength: number("maxLength"),
  minItems: number("minItems"),
  maxItems: number("maxItems"),
  minProperties: number("minProperties"),
  maxProperties: number("maxProperties"),
  pattern: (site, value) => [
    { kind: "pattern", site, source: (value as RegExp).source, regexp: safe(value as RegExp) },
  ],
  format: (site, value) => [{ kind: "format", site, format: value as string }],
  "format-assertion": (site, value) => [{ kind: "format", site, format: value as string }],
  required: (site, value) => [{ kind: "required", site, names: value as string[] }],
  dependentRequired: (site, value) => [{ kind: "dependentRequired", site, entries: value as [string, string[]][] }],
  uniqueItems: (site, value) => (value === true ? [{ kind: "uniqueItems", site }] : []),
  properties: (site, value) => [
    {
      kind: "properties",
      site,
      entries: Object.entries(value as Record<string, string>).map(([name, to]) => [name, plain(to)]),
    },
  ],
  patternProperties: (site, value) => [
    {
      kind: "patternProperties",
      site,
      entries: (value as [RegExp, string][]).map(([regexp, to]) => [regexp.source, safe(regexp), plain(to)]),
    },
  ],
  additionalProperties: (site, value, siblings) => {
    const sibling = (name: string) => siblings.find(([id]) => id === `${keywordBase}${name}`)?.[2];
    const patterns = (sibling("patternProperties") ?? []) as [RegExp, string][];
    return [
      {
        kind: "additionalProperties",
        site,
        names: Object.keys(sibling("properties") ?? {}),
        patterns: patterns.map(([regexp]) => [regexp.source, safe(regexp)]),
        node: plain((value as [RegExp, string])[1]),
      },
    ];
  },
  propertyNames: child("propertyNames"),
  unevaluatedProperties: child("unevaluatedProperties"),
  unevaluatedItems: child("unevaluatedItems"),
  prefixItems: (site, value) => [{ kind: "prefixItems", site, nodes: (value as string[]).map(plain) }],
  items: (site, value) => {
    if (typeof value === "string") return [{ kind: "items", site, from: 0, node: plain(value) }];
    const list = value as unknown[];
    return typeof list[0] === "number"
      ? [{ kind: "items", site, from: list[0], node: plain(list[1] as string) }]
      : [{ kind: "prefixItems", site, nodes: (list as string[]).map(plain) }];
  },
  additionalItems: (site, value) => {
    const [from, node] = value as [number, string];
    return from === Number.MAX_SAFE_INTEGER ? [] : [{ kind: "items", site, from, node: plain(node) }];
  },
  contains: (site, value) => {
    if (typeof value === "string")
      return [{ kind: "contains", site, node: plain(value), min: 1, max: Infinity, marks: false }];
    const { contains, minContains, maxContains } = value as {
      contains: string;
      minContains: number;
      maxContains: number;
    };
    const max = maxContains === Number.MAX_SAFE_INTEGER ? Infinity : maxContains;
    return [{ kind: "contains", site, node: plain(contains), min: minContains, max, marks: true }];
  },
  dependentSchemas: (site, value) => [
    {
      kind: "dependentSchemas",
      site,
      entries: entriesOf(value).map(([name, to]) => [name, plain(to as string)]),
    },
  ],
  dependencies: (site, value) => {
    const entries = entriesOf(value);
    const names = entries.filter((entry): entry is [string, string[]] => Array.isArray(entry[1]));
    const schemas = entries.filter((entry): entry is [string, string] => typeof entry[1] === "string");
    return [
      { kind: "dependentRequired", site, entries: names },
      { kind: "dependentSchemas", site, entries: schemas.map(([name, to]) => [name, plain(to)]) },
    ];
  },
  allOf: branches("allOf"),
  anyOf: branches("anyOf"),
  oneOf: branches("oneOf"),
  not: child("not"),
  ref: child("ref"),
  dynamicRef: (site, value) => {
    const [resource, anchor, node] = value as [string, string, string];
    return [{ kind: "dynamicRef", site, resource, anchor, node: plain(node) }];
  },
};

/** A text on which a pattern may never end counts as not matching: nothing is built on it. */
function safe(pattern: RegExp): RegExp {
  return guarded(pattern, "refuse");
}

function entriesOf(value: unknown): [string, unknown][] {
  return Array.isArray(value) ? (value as [string, unknown][]) : Object.entries(value as Record<string, unknown>);
}
