import { posix } from "node:path";
import { pathToFileURL } from "node:url";
import { dialectOf, isStandard, subschemas } from "./dialect.ts";
import { addressOf, faultIn, type SchemaDocument } from "./document.ts";
import type { JsonObject } from "./json.ts";
import { patternFault, tooDeep } from "./patterns.ts";
import { append } from "./pointer.ts";
import { asUri } from "./uri.ts";

/** A schema with an `$id`, at the root of a document or inside it. */
export interface Resource {
  /** The absolute id without fragment, as reported. `href` is the resolved one: a `file:` URL unless an `$id` replaces it. */
  id: string;
  href: string;
  document: SchemaDocument;
  at: string;
  /** JSON Pointer by anchor. */
  anchors: Map<string, string>;
}

/** A schema object and its location. */
export interface SchemaSpot {
  document: SchemaDocument;
  at: string;
  schema: JsonObject;
  resource: Resource;
}

export interface Reference {
  from: SchemaSpot;
  keyword: string;
  to: string;
}

/** All loaded schemas by their addresses, and the references that are still to be followed. */
export interface Graph {
  /** Folder of the entry schema: resources without an absolute `$id` are named relative to it. */
  folder: string;
  /** The documents, in the order of loading. */
  roots: Resource[];
  /** By URL; one resource may have several. */
  resources: Map<string, Resource>;
  spots: Map<string, SchemaSpot>;
  waiting: Reference[];
}

export function emptyGraph(folder: string): Graph {
  return { folder, roots: [], resources: new Map(), spots: new Map(), waiting: [] };
}

export function spotKey(document: SchemaDocument, at: string): string {
  return `${document.path}#${at}`;
}

/** Adds a well-formed document. Throws a usage error for a repeated `$id` or anchor, and for an invalid pattern. */
export function addDocument(graph: Graph, document: SchemaDocument): Resource {
  const address = addressOf(document);
  const { schema, dialect } = document;
  const resource = addResource(graph, document, {
    at: "",
    id: (schema[dialect.id] as string | undefined) ?? address,
    base: address,
  });
  graph.roots.push(resource);
  if (!graph.resources.has(address)) graph.resources.set(address, resource);
  visit(graph, { document, at: "", schema, resource });
  return resource;
}

function addResource(
  graph: Graph,
  document: SchemaDocument,
  { at, id, base }: { at: string; id: string; base: string },
): Resource {
  const idPlace = append(at, document.dialect.id);
  const url = URL.canParse(id, base) ? new URL(id, base) : undefined;
  if (url === undefined || url.hash.length > 1) {
    const why = url === undefined ? "is not a URI" : "has a fragment";
    throw faultIn(
      document,
      idPlace,
      `the ${document.dialect.id} "${id}" ${why}`,
      "write an absolute URI without fragment",
    );
  }
  url.hash = "";
  const { href } = url;
  const name = nameOf(graph, id, url);
  const existing = graph.resources.get(href) ?? graph.resources.get(new URL(name).href);
  if (existing !== undefined) {
    const { line } = existing.document.text.locate(existing.at);
    const problem = `the ${document.dialect.id} "${id}" is also that of ${existing.document.file}:${line}`;
    throw faultIn(document, idPlace, problem, "give each schema its own, or leave out one of the two");
  }
  const resource: Resource = { id: name, href, document, at, anchors: new Map() };
  graph.resources.set(new URL(name).href, resource);
  graph.resources.set(href, resource);
  return resource;
}

/** Ajv also has its newest meta-schema under this name, and users copy the name into their own schemas. */
const newestDialect = "http://json-schema.org/schema";

/**
 * The name under which a schema is known: its `$id` as written if that is absolute, otherwise its path from the folder of the first
 * schema, the same on every machine, with `~` for each folder upwards.
 */
function nameOf({ folder }: Graph, id: string, url: URL): string {
  // Validators already have the meta-schemas, and reject a second schema of the same name.
  if (isStandard(url.href) || url.href === newestDialect) return `schema:/${url.host}${url.pathname}`;
  if (url.protocol !== "file:") return asUri(URL.canParse(id) ? id.replace(/#$/, "") : url.href);
  if (id.startsWith("/")) return `schema:${url.pathname}`;
  const relativePath = posix.relative(pathToFileURL(folder).pathname, url.pathname);
  return `schema:/${relativePath.replace(/\.\.(?=\/)/g, "~")}`;
}

/** Adds a schema object and everything below it. */
export function visit(graph: Graph, spot: SchemaSpot): void {
  const { document, at, schema } = spot;
  const { dialect } = document;
  const key = spotKey(document, at);
  if (graph.spots.has(key)) return;
  // Up to draft-07, keywords beside `$ref` are ignored, except as targets of references.
  const isEffective = dialect.besideRef || typeof schema.$ref !== "string";
  const resource = at === "" || !isEffective ? spot.resource : resourceOf(graph, spot);
  const ownSpot: SchemaSpot = { ...spot, resource };
  graph.spots.set(key, ownSpot);
  for (const keyword of dialect.anchors) {
    if (typeof schema[keyword] === "string") addAnchor(ownSpot, keyword, schema[keyword]);
  }
  for (const keyword of dialect.references) {
    const to = schema[keyword];
    if (typeof to === "string") graph.waiting.push({ from: ownSpot, keyword, to });
  }
  if (isEffective) refusePatterns(ownSpot);
  for (const { path, schema: subschema } of subschemas(schema, dialect)) {
    if (typeof subschema === "object") visit(graph, { document, at: `${at}${path}`, schema: subschema, resource });
  }
}

/** The resource that the schema belongs to: the schema itself if it has an `$id`. */
function resourceOf(graph: Graph, spot: SchemaSpot): Resource {
  const { document, at, schema, resource } = spot;
  const { dialect } = document;
  const id = schema[dialect.id];
  if (typeof id !== "string") return resource;
  if (!dialect.besideRef && id.startsWith("#")) {
    addAnchor(spot, dialect.id, id.slice(1));
    return resource;
  }
  const { $schema } = schema;
  if (typeof $schema === "string" && dialectOf($schema) !== dialect) {
    const problem = `the dialect ${$schema} inside a document of ${dialect.name}`;
    throw faultIn(document, append(at, "$schema"), problem, "put the schema into a file of its own");
  }
  return addResource(graph, document, { at, id, base: resource.href });
}

function addAnchor({ document, at, resource }: SchemaSpot, keyword: string, name: string): void {
  // Validators keep anchors as members of an object.
  if (name === "__proto__")
    throw faultIn(document, append(at, keyword), "no validator can keep an anchor of this name", "rename it");
  const existingPlace = resource.anchors.get(name);
  if (existingPlace !== undefined && existingPlace !== at) {
    const { line } = document.text.locate(existingPlace);
    throw faultIn(
      document,
      append(at, keyword),
      `the anchor "${name}" is already on line ${line}`,
      "rename one of the two",
    );
  }
  resource.anchors.set(name, at);
}

function refusePatterns({ document, at, schema }: SchemaSpot): void {
  const { pattern, patternProperties = {} } = schema;
  if (typeof pattern === "string") refuse("pattern", pattern, append(at, "pattern"));
  for (const source of Object.keys(patternProperties as JsonObject)) {
    refuse("name in patternProperties", source, append(append(at, "patternProperties"), source));
  }

  function refuse(problem: string, source: string, path: string): void {
    const depth = tooDeep(source);
    if (depth !== undefined)
      throw faultIn(
        document,
        path,
        `the ${problem} nests ${depth} groups in each other`,
        "leave out groups that it does not need",
      );
    const fault = patternFault(source);
    if (fault === undefined) return;
    throw faultIn(document, path, `the ${problem} ${source} is not a regular expression: ${fault.why}`, fault.hint);
  }
}
