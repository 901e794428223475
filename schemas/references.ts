import { isSchema, isStandard } from "./dialect.ts";
import { faultIn } from "./document.ts";
import type { TouchstoneError } from "./error.ts";
import { type Graph, type Reference, type Resource, visit } from "./graph.ts";
import { isObject, type Json, type JsonObject, typeOf } from "./json.ts";
import { nearestName } from "./nearest-name.ts";
import { append, segments, at as valueAt } from "./pointer.ts";
import { asUri } from "./uri.ts";

/** The target of a reference. */
export interface ReferenceTarget {
  resource: Resource;
  /** JSON Pointer in the resource's document. */
  at: string;
  schema: JsonObject | boolean;
  /** Set if the reference has no literal target, and this target is a guess. */
  isGuess?: true;
  /** The text to write instead, so that every validator finds the target. */
  text?: string;
}

/** Resolves a reference to its address, without fragment, and its fragment. Throws a usage error if it is not a URI. */
export function addressIn(reference: Reference): { url: URL; fragment: string } {
  const { from, keyword, to } = reference;
  const base = from.resource.href;
  if (keyword === "$recursiveRef" && to !== "#")
    throw referenceError(reference, "is never anything but #", 'write "#", or $ref');
  if (!URL.canParse(to, base))
    throw referenceError(reference, `makes no URI with ${base}`, "write an absolute URI, or a fragment");
  const url = new URL(to, base);
  const fragment = url.hash.slice(1);
  url.hash = "";
  return { url, fragment };
}

/**
 * Follows a reference: `"standard"` for a standard meta-schema, undefined if its address is not loaded (yet).
 * Throws a usage error, with the nearest name, if the fragment leads nowhere.
 */
export function follow(graph: Graph, reference: Reference): ReferenceTarget | "standard" | undefined {
  const { url, fragment } = addressIn(reference);
  const resource = graph.resources.get(url.href);
  if (resource === undefined) return isStandard(url.href) ? "standard" : undefined;
  const name = plainFragment(fragment);
  if (name !== "" && !name.startsWith("/")) return byAnchor(reference, resource, name);
  const { document } = resource;
  const at = `${resource.at}${name}`;
  const schema = valueAt(at, document.schema);
  if (schema === undefined) throw brokenReference(reference, resource, name);
  if (!isSchema(schema)) {
    throw referenceError(reference, `leads to a value of type ${typeOf(schema)}, not to a schema`, "refer to a schema");
  }
  return { resource, at, schema };
}

/**
 * Like `follow`, but also resolves a reference without a literal target by its likely meaning: from the root of the document, ignoring any `$id`
 * between, or as the name of a definition there.
 */
export function followLeniently(graph: Graph, reference: Reference): ReferenceTarget | "standard" | undefined {
  const { from, to } = reference;
  const root = graph.roots.find(({ document }) => document === from.document);
  let target: ReferenceTarget | "standard" | undefined;
  let fault: unknown;
  try {
    target = follow(graph, reference);
  } catch (error) {
    fault = error;
  }
  if (target !== undefined && target !== "standard") return enterTarget(graph, target);
  if (target !== undefined || root === undefined) return target;
  const name = plainFragment(to.slice(to.indexOf("#") + 1)).replace(/\/+$/, "");
  const candidatePlaces = [
    ...(to.includes("#") && name.startsWith("/") ? [name] : []),
    ...["definitions", "$defs"].flatMap((holder) => [append(`/${holder}`, name), append(`/${holder}`, to)]),
    ...(/^(definitions|\$defs)\//.test(name) ? [`/${name}`] : []),
  ];
  const leadsElsewhere = to.includes("#") && !to.startsWith("#") && fault === undefined;
  for (const at of leadsElsewhere ? [] : candidatePlaces) {
    const schema = valueAt(at, from.document.schema);
    if (schema !== undefined && isSchema(schema))
      return enterTarget(graph, { resource: root, at, schema, isGuess: true, text: `${root.id}#${asUri(at)}` });
  }
  if (fault !== undefined) throw fault;
  return undefined;
}

/** Rewrites a pointer that continues into a schema with an `$id`, to start there: some validators do not follow it otherwise. */
function enterTarget(graph: Graph, target: ReferenceTarget): ReferenceTarget {
  const { resource, at } = target;
  const inner = graph.spots.get(`${resource.document.path}#${at}`)?.resource;
  if (inner === undefined || inner === resource || at === inner.at) return target;
  return { ...target, resource: inner, text: `${inner.id}#${asUri(at.slice(inner.at.length))}` };
}

function byAnchor(reference: Reference, resource: Resource, name: string): ReferenceTarget {
  const at = resource.anchors.get(name);
  if (at !== undefined) return { resource, at, schema: valueAt(at, resource.document.schema) as JsonObject };
  const names = [...resource.anchors.keys()];
  const hint = `${nearestName(name, names)}${names.length === 0 ? "it has no anchors" : `its anchors: ${listNames(names)}`}`;
  throw referenceError(reference, `leads nowhere: ${resource.id} has no anchor "${name}"`, hint);
}

/** Describes how far the pointer leads, and the value found there instead. */
function brokenReference(reference: Reference, resource: Resource, name: string): TouchstoneError {
  let reachedPath = "";
  let value = valueAt(resource.at, resource.document.schema) as Json;
  for (const segment of segments(name)) {
    const next = valueAt(append("", segment), value);
    if (next !== undefined) {
      reachedPath = append(reachedPath, segment);
      value = next;
      continue;
    }
    const names = isObject(value) || Array.isArray(value) ? Object.keys(value) : [];
    const hint = nearestName(segment, names).replace(
      /"(.*)"/,
      (_, suggestion: string) => `"#${append(reachedPath, suggestion)}"`,
    );
    const what = `leads nowhere: ${reachedPath === "" ? resource.id : `#${reachedPath}`} has no "${segment}"`;
    return referenceError(
      reference,
      what,
      `${hint}${names.length === 0 ? "nothing is there" : `there are: ${listNames(names)}`}`,
    );
  }
  throw new Error(`${name} leads somewhere`);
}

/** Adds the schema at a target that is not yet in the graph, since no keyword contains it. */
export function addTarget(graph: Graph, { resource, at, schema }: ReferenceTarget): void {
  if (typeof schema === "object") visit(graph, { document: resource.document, at, schema, resource });
}

/** The error for a reference: the problem, the place, the remedy. */
export function referenceError({ from, keyword, to }: Reference, what: string, hint: string): TouchstoneError {
  return faultIn(from.document, append(from.at, keyword), `the ${keyword} "${to}" ${what}`, hint);
}

/** Rewrites a reference for readers that know schemas only by `$id`; undefined if it need not change. */
export function rewriteReference(reference: Reference, { resource, text }: ReferenceTarget): string | undefined {
  const { from, to } = reference;
  if (text !== undefined) return text;
  const url = URL.canParse(to, from.resource.id) ? new URL(to, from.resource.id) : undefined;
  if (url?.href.replace(/#.*$/, "") === new URL(resource.id).href) {
    const encoded = asUri(to);
    return encoded === to ? undefined : encoded;
  }
  return `${resource.id}#${asUri(addressIn(reference).fragment)}`.replace(/#$/, "");
}

function plainFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function listNames(names: readonly string[]): string {
  return `${names.slice(0, 10).join(", ")}${names.length > 10 ? ", …" : ""}`;
}
