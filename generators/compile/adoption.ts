import {
  dialectOf,
  dialects,
  isObject,
  isStandard,
  type Json,
  type JsonObject,
  pointer,
  TouchstoneError,
} from "../../schemas/index.ts";
import { isAssertion, translate } from "./translate.ts";

/** A schema from which a model can be compiled, and notes on parts that were not read as written. */
export interface AdoptedSchema {
  schema: JsonObject;
  id: string;
  notes: string[];
  /** Whether there are assertions beside a `$ref`, which the draft ignores. */
  hasAssertionsBesideRef: boolean;
}

export interface AdoptOptions {
  /** The documents that references may lead to, by URI without fragment. */
  library?: (uri: string) => Json | undefined;
  /** Whether keywords beside a `$ref` count. Many authors intend this and some validators do it, against the draft. */
  besideRef?: boolean;
}

const latestDialect = dialects.at(-1)?.uri as string;
const draft07 = "http://json-schema.org/draft-07/schema#";

/** A document and the names in it: the location of each schema with an `id`, by absolute URI. */
interface NamedDocument {
  root: Json;
  address: string;
  names: Map<string, string>;
  bases: { at: string; base: string }[];
}

/**
 * Reads a schema of any origin as one document in a dialect that the model knows. Draft-04 to draft-07, and documents without a dialect, are
 * rewritten as draft-07: each referenced schema once, without identifiers. Newer dialects stay as they are. Throws a usage error if a reference
 * cannot be resolved, and for draft-03.
 */
export function adoptSchema(
  input: Json,
  address: string,
  { library = () => undefined, besideRef = false }: AdoptOptions = {},
): AdoptedSchema {
  const notes = new Set<string>();
  if (typeof input === "boolean")
    return {
      schema: { $schema: latestDialect, $id: address, allOf: [input] },
      id: address,
      notes: [],
      hasAssertionsBesideRef: false,
    };
  if (!isObject(input))
    throw new TouchstoneError("usage", "expected a schema (an object or a boolean)", { where: address });
  const dialect = dialectFor(input, notes);
  if (dialect !== draft07) {
    const schema = { ...input, $schema: dialect, $id: address };
    return { schema, id: address, notes: [...notes], hasAssertionsBesideRef: false };
  }

  return new Adoption({ library, besideRef }, notes).write(input, address);
}

/** A document during its conversion to draft-07, with the targets of its references. */
class Adoption {
  readonly #library: (uri: string) => Json | undefined;
  readonly #besideRef: boolean;
  readonly #notes: Set<string>;
  readonly #documents = new Map<string, NamedDocument>();
  /** References to the definitions written so far, by the locations of their sources. */
  readonly #places = new Map<string, string>();
  readonly #queue: { document: NamedDocument; at: string; name: string }[] = [];
  #hasAssertionsBesideRef = false;

  constructor({ library, besideRef }: Required<AdoptOptions>, notes: Set<string>) {
    this.#library = library;
    this.#besideRef = besideRef;
    this.#notes = notes;
  }

  write(input: JsonObject, address: string): AdoptedSchema {
    const root = this.#addDocument(input, address);
    this.#places.set(`${address}#`, "#");
    const definitions: JsonObject = {};
    const written = this.#writeSchema(root, "", Object.hasOwn(input, "$ref") ? input : { ...input }) as JsonObject;
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift())
      definitions[next.name] = this.#writeSchema(
        next.document,
        next.at,
        pointer.at(next.at, next.document.root) as Json,
      );
    // In draft-07 nothing is allowed beside a reference.
    const body: JsonObject = Object.hasOwn(written, "$ref") ? { allOf: [written] } : written;
    const schema = { $schema: draft07, $id: address, ...body, definitions };
    return { schema, id: address, notes: [...this.#notes], hasAssertionsBesideRef: this.#hasAssertionsBesideRef };
  }

  #addDocument(document: Json, at: string): NamedDocument {
    const namedDocument: NamedDocument = { root: document, address: at, names: new Map(), bases: [] };
    this.#documents.set(at, namedDocument);
    collectNames(namedDocument, document, "", at);
    for (const [uri, place] of namedDocument.names)
      if (place === "" && !this.#documents.has(uri)) this.#documents.set(uri, namedDocument);
    return namedDocument;
  }

  #writeSchema(document: NamedDocument, at: string, schema: Json): JsonObject | boolean {
    if (!isObject(schema)) return schema as boolean;
    const note = (what: string): void => void this.#notes.add(what);
    const child = (inner: Json, path: readonly string[]): JsonObject | boolean =>
      this.#writeSchema(document, path.reduce(pointer.append, at), inner);
    const translateOwn = (): JsonObject => translate(schema, { child, report: note });
    if (Object.hasOwn(schema, "$ref") && typeof schema.$ref !== "string") note("$ref is not text: left out");
    if (typeof schema.$ref !== "string") return translateOwn();
    const reference: JsonObject = { $ref: this.#referenceTo(document, at, schema.$ref) };
    if (!Object.keys(schema).some(isAssertion)) return reference;
    this.#hasAssertionsBesideRef = true;
    return this.#besideRef ? { allOf: [reference, translateOwn()] } : reference;
  }

  /** The reference to the target of `ref`. A target that is not yet written is put in the queue. */
  #referenceTo(document: NamedDocument, at: string, ref: string): string {
    const targetPlace = this.#findTarget(document, at, ref);
    if (typeof targetPlace === "string") return targetPlace;
    const place = `${targetPlace.document.address}#${targetPlace.at}`;
    const writtenReference = this.#places.get(place);
    if (writtenReference !== undefined) return writtenReference;
    const name = `#/definitions/${this.#places.size}`;
    this.#places.set(place, name);
    this.#queue.push({ ...targetPlace, name: String(this.#places.size - 1) });
    return name;
  }

  #findTarget(document: NamedDocument, at: string, ref: string): { document: NamedDocument; at: string } | string {
    const fragment = decodeFragment(ref.includes("#") ? ref.slice(ref.indexOf("#") + 1) : "");
    const uriTarget = this.#findUriTarget(document, { at, ref, fragment });
    if (uriTarget !== undefined) return uriTarget;
    // Even if the exact string has no target, authors usually mean one of these.
    const rootedPaths = fragment.startsWith("/") ? [fragment, fragment.replace(/\/+$/, "")] : [];
    const guesses = [...rootedPaths, document.names.get(ref), pointer.append("/definitions", ref)];
    const resolved = guesses.find((each) => each !== undefined && isSchemaAt(document, each));
    if (resolved === undefined)
      throw new TouchstoneError("usage", `cannot resolve $ref "${ref}"`, {
        where: `${document.address}#${at}`,
        hint: "give the document that contains it",
      });
    this.#notes.add("a $ref is resolved from the root of its document");
    return { document, at: resolved };
  }

  /** The target of a reference as a URI; undefined without a target. */
  #findUriTarget(
    document: NamedDocument,
    { at, ref, fragment }: { at: string; ref: string; fragment: string },
  ): { document: NamedDocument; at: string } | string | undefined {
    const base =
      document.bases.findLast((each) => at === each.at || at.startsWith(`${each.at}/`))?.base ?? document.address;
    if (!URL.canParse(ref, base)) return undefined;
    const url = new URL(ref, base);
    url.hash = "";
    const uri = url.href.replace(/#$/, "");
    const start = document.names.get(uri) ?? (uri === document.address ? "" : undefined);
    const found = start === undefined ? undefined : locateFragment(document, start, uri, fragment);
    if (found !== undefined) return { document, at: found };
    const otherDocument = this.#documents.get(uri) ?? this.#loadDocument(uri);
    const otherPlace = otherDocument === undefined ? undefined : locateFragment(otherDocument, "", uri, fragment);
    if (otherDocument !== undefined && otherPlace !== undefined) return { document: otherDocument, at: otherPlace };
    return isStandard(uri) ? url.href + (fragment === "" ? "" : `#${encodeURI(fragment)}`) : undefined;
  }

  #loadDocument(uri: string): NamedDocument | undefined {
    const found = this.#library(uri);
    return found === undefined ? undefined : this.#addDocument(found, uri);
  }
}

function dialectFor(schema: JsonObject, notes: Set<string>): string {
  const { $schema } = schema;
  const known = $schema === undefined ? undefined : dialectOf($schema);
  if (known !== undefined) return known.besideRef ? known.uri : draft07;
  const draft = /draft-0?([0-9])\b/.exec(typeof $schema === "string" ? $schema : "")?.[1];
  if (draft !== undefined && Number(draft) < 4)
    throw new TouchstoneError("usage", `draft-0${draft} is not supported`, {
      hint: "write the schema in a newer draft",
    });
  if (draft !== undefined) return draft07;
  if (["extends", "disallow"].some((name) => Object.hasOwn(schema, name)))
    throw new TouchstoneError("usage", "extends and disallow belong to draft-03, which is not supported");
  const isNewer = (names: readonly string[]) => mentionsName(schema, new Set(names));
  if (isNewer(["prefixItems", "$dynamicRef", "$dynamicAnchor"])) {
    notes.add("no $schema: read as 2020-12, whose keywords it has");
    return latestDialect;
  }
  if (
    isNewer([
      "dependentSchemas",
      "dependentRequired",
      "minContains",
      "maxContains",
      "unevaluatedItems",
      "unevaluatedProperties",
      "$recursiveRef",
      "$anchor",
    ])
  ) {
    notes.add("no $schema: read as 2019-09, whose keywords it has");
    return "https://json-schema.org/draft/2019-09/schema";
  }
  notes.add($schema === undefined ? "no $schema: read as draft-07" : "unknown $schema: read as draft-07");
  return draft07;
}

function mentionsName(value: Json, names: ReadonlySet<string>): boolean {
  if (Array.isArray(value)) return value.some((each) => mentionsName(each, names));
  if (!isObject(value)) return false;
  return Object.entries(value).some(([name, each]) => names.has(name) || mentionsName(each, names));
}

/** Registers each schema with an `id` under that id. As usual, the first of several counts. */
function collectNames(known: NamedDocument, value: Json, at: string, base: string): void {
  if (Array.isArray(value)) {
    for (const [index, each] of value.entries()) collectNames(known, each, pointer.append(at, index), base);
    return;
  }
  if (!isObject(value)) return;
  let innerBase = base;
  for (const id of [value.$id, value.id]) {
    if (typeof id !== "string" || typeof value.$ref === "string") continue;
    if (!known.names.has(id)) known.names.set(id, at);
    if (!URL.canParse(id, base)) continue;
    const { href } = new URL(id, base);
    const uri = href.replace(/#$/, "");
    if (!known.names.has(uri)) known.names.set(uri, at);
    if (!href.includes("#") || href.endsWith("#")) {
      innerBase = uri;
      known.bases.push({ at, base: uri });
    }
  }
  for (const [name, each] of Object.entries(value)) {
    if (name !== "enum" && name !== "const" && name !== "default" && name !== "examples")
      collectNames(known, each, pointer.append(at, name), innerBase);
  }
}

function locateFragment(document: NamedDocument, start: string, uri: string, fragment: string): string | undefined {
  const at = fragment === "" || fragment.startsWith("/") ? start + fragment : document.names.get(`${uri}#${fragment}`);
  return at !== undefined && isSchemaAt(document, at) ? at : undefined;
}

function isSchemaAt({ root }: NamedDocument, at: string): boolean {
  const found = pointer.at(at, root);
  return isObject(found) || typeof found === "boolean";
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
