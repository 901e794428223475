import { removeUriSchemePlugin } from "@hyperjump/browser";
import {
  registerSchema,
  type SchemaObject,
  setShouldValidateSchema,
  unregisterSchema,
} from "@hyperjump/json-schema/draft-2020-12";
import "@hyperjump/json-schema/draft-2019-09";
import "@hyperjump/json-schema/draft-07";
import "@hyperjump/json-schema/draft-06";
import "@hyperjump/json-schema/draft-04";
import { compile, getSchema } from "@hyperjump/json-schema/experimental";
import {
  copyOf,
  dialectOf,
  isInherited,
  isObject,
  type Json,
  type JsonObject,
  schemasUsed,
  subschemas,
  TouchstoneError,
} from "../../schemas/index.ts";
import type { KeywordHandler } from "../keywords/handler.ts";
import { type Entry, nameOf, plainLocation, type Reader } from "../keywords/reading.ts";
import { handlerOf, keywords } from "../keywords/table.ts";
import type { Keyword, Location, Model, Node, Scope } from "../model/model.ts";
import { readContainsOf2019 } from "./contains-2019.ts";
import { type Compiled, maskData, unmaskData } from "./masked-data.ts";
import { settleReferences } from "./references.ts";

// Schemas are never read from the network or from files, only from the caller.
for (const scheme of ["http", "https", "file"]) removeUriSchemePlugin(scheme);

readContainsOf2019();

/** Schemas in Hyperjump's registry, and the last schema compiled from them. */
interface Registered {
  schemas: readonly JsonObject[];
  ids: string[];
  /** Whether their meta-schemas must accept them. */
  isChecked: boolean;
  last?: CompiledById;
}

interface CompiledById {
  id: string;
  compiled: Compiled;
}

/** The last schema compiled from each list, kept after the registry is cleared, because compiling a large one needs seconds. */
const lastCompiled = new WeakMap<readonly JsonObject[], CompiledById>();

// A process has one Hyperjump registry, so its turns and its contents are module state too.
let turn: Promise<unknown> = Promise.resolve();
let waitingCount = 0;
let registeredSet: Registered | undefined;

/** Runs a task with the schemas in Hyperjump's registry. A process has only one registry, so tasks run one after another. Tasks with the same schemas share their registration, and the schemas are checked once. If no task is waiting, the registry is cleared. */
function withSchemas<T>(schemas: readonly JsonObject[], task: (registered: Registered) => Promise<T>): Promise<T> {
  waitingCount += 1;
  const result = turn.then(async () => {
    try {
      const registered = registerSchemas(schemas);
      setShouldValidateSchema(registered.isChecked);
      return await task(registered);
    } catch (error) {
      // Hyperjump considers a schema checked after one check, even if the check failed.
      clearRegistry();
      throw error;
    } finally {
      setShouldValidateSchema(true);
      waitingCount -= 1;
      setImmediate(() => {
        if (waitingCount === 0) clearRegistry();
      });
    }
  });
  turn = result.catch(() => undefined);
  return result;
}

function registerSchemas(schemas: readonly JsonObject[]): Registered {
  const registeredSchemas = registeredSet?.schemas ?? [];
  if (
    registeredSet !== undefined &&
    registeredSchemas.length === schemas.length &&
    registeredSchemas.every((each, index) => each === schemas[index])
  )
    return registeredSet;
  clearRegistry();
  const registered: Registered = { schemas: [...schemas], ids: [], isChecked: true };
  registeredSet = registered;
  for (const original of schemas) {
    const id = identifier(original);
    const schema = prepareSchema(original);
    // The changed schema may violate its meta-schema; Ajv has checked the original.
    if (schema !== original) registered.isChecked = false;
    registerSchema(schema as SchemaObject, id, "https://json-schema.org/draft/2020-12/schema");
    registered.ids.push(id);
  }
  return registered;
}

function clearRegistry(): void {
  for (const id of registeredSet?.ids ?? []) unregisterSchema(id);
  registeredSet = undefined;
}

/** Cached: the documents of a set share their schemas. */
const preparedSchemas = new WeakMap<JsonObject, JsonObject>();

function prepareSchema(schema: JsonObject): JsonObject {
  const prepared = preparedSchemas.get(schema) ?? withReadableReferences(withoutInherited(maskData(schema)));
  preparedSchemas.set(schema, prepared);
  return prepared;
}

/** Removes keywords that are named like inherited members, such as `constructor`: Hyperjump looks up keywords in a plain object. Other uses of such a name, as for a property, stay. */
function withoutInherited(schema: JsonObject): JsonObject {
  if (!inheritedName.test(JSON.stringify(schema))) return schema;
  const dialect = dialectOf(schema.$schema);
  if (dialect === undefined) return schema;
  const copy = copyOf(schema) as JsonObject;
  let isChanged = false;
  const queue = [copy];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const name of Object.keys(next))
      if (isInherited(name)) {
        isChanged = true;
        delete next[name];
      }
    for (const { schema: below } of subschemas(next, dialect)) if (isObject(below)) queue.push(below);
  }
  return isChanged ? copy : schema;
}

const inheritedName = new RegExp(`"(?:${Object.getOwnPropertyNames(Object.prototype).join("|")})":`);

/** Writes out non-ASCII letters in the fragments of references. Hyperjump decodes percent-encoding, which a URI requires, byte by byte. */
function withReadableReferences(schema: JsonObject): JsonObject {
  const encoded = /#.*%[89A-Fa-f]/;
  const text = JSON.stringify(schema);
  // A quick test first: the expression below searches the whole text from each number sign.
  if (!/%[89A-Fa-f]/.test(text)) return schema;
  return JSON.parse(text, (name, value: Json) => {
    if (!/^\$(dynamicR|r)ef$/.test(name) || typeof value !== "string" || !encoded.test(value)) return value;
    const index = value.indexOf("#");
    return value.slice(0, index) + value.slice(index).replace(/(?:%[89A-Fa-f][0-9A-Fa-f])+/g, decodeURI);
  }) as JsonObject;
}

/** Returns the `$id` (or draft-04 `id`) of a schema document, without an empty fragment. */
export function identifier(schema: JsonObject): string {
  const id = schema.$id ?? schema.id;
  if (typeof id !== "string")
    throw new TouchstoneError("usage", "a schema document has no $id", { hint: "give it one, or load it from a file" });
  return id.replace(/#$/, "");
}

/** From this number of schemas on, only those that a document uses are registered: Hyperjump looks through its whole registry for each reference. */
const manySchemas = 100;

function schemasFor(schemas: readonly JsonObject[], id: string): readonly JsonObject[] {
  if (schemas.length < manySchemas) return schemas;
  const usedSchemas = schemasUsed(schemas, id);
  return usedSchemas.length === 0 ? schemas : usedSchemas;
}

/** Compiles the schema `id`, which is among `schemas`, with Hyperjump. The object is shared and must not be changed. */
export async function compileDocument(schemas: readonly JsonObject[], id: string): Promise<Compiled> {
  const cached = lastCompiled.get(schemas);
  if (cached?.id === id) return cached.compiled;
  return withSchemas(schemasFor(schemas, id), async (registered) => {
    if (registered.last?.id !== id) registered.last = { id, compiled: unmaskData(await compile(await getSchema(id))) };
    lastCompiled.set(schemas, registered.last);
    return registered.last.compiled;
  });
}

/** Compiles the schema `id`, which is among `schemas`, to a model. All references must lead to one of `schemas`. */
export async function compileModel(schemas: readonly JsonObject[], id: string): Promise<Model> {
  const compiled = await compileDocument(schemas, id).catch(explainError);
  const nodes = new Map<Location, Node>();
  const anchors: Record<string, Scope> = {};
  for (const [uri, data] of Object.entries(compiled.ast.metaData)) {
    anchors[uri] = Object.fromEntries(
      Object.entries(data.dynamicAnchors).map(([name, to]) => [name, plainLocation(to)]),
    );
  }
  for (const [uri, entries] of Object.entries(compiled.ast)) {
    if (uri === "metaData" || uri === "plugins") continue;
    const location = plainLocation(uri);
    const resource = location.slice(0, location.indexOf("#"));
    const node: Node = { location, resource, keywords: [] };
    if (typeof entries === "boolean") node.always = entries;
    else {
      node.keywords = keywordsOf(entries as Entry[]);
      node.marks = node.keywords.some((keyword) => handlerOf(keyword).dependsOnOthers);
    }
    nodes.set(location, node);
  }
  return settleReferences({ root: plainLocation(compiled.schemaUri), nodes, anchors });
}

function explainError(error: Error): never {
  const [, missing] = /^No schema found at '(.*?)'/.exec(error.message) ?? [];
  if (missing?.includes("%23") === true)
    throw new TouchstoneError("usage", `a reference points to a name that contains "#": ${missing}`, {
      hint: "not every validator resolves it: rename the member that it refers to",
      cause: error,
    });
  const [, uri] = /^Unable to load resource '(.*?)'/.exec(error.message) ?? [];
  if (uri === undefined) throw error;
  throw new TouchstoneError("usage", `cannot resolve the reference to ${uri}`, {
    hint: "nothing is read from the network: give the schema document that contains it",
    cause: error,
  });
}

const handlers: readonly KeywordHandler[] = Object.values(keywords);
const readers: ReadonlyMap<string, Reader> = new Map(handlers.flatMap((handler) => Object.entries(handler.readers)));

/** Conditions come after all keywords that do not depend on the evaluation of others. */
function keywordsOf(entries: readonly Entry[]): Keyword[] {
  const readKeywords = entries.flatMap((entry): Keyword[] => {
    const [, uri, value] = entry;
    return readers.get(nameOf(entry))?.(plainLocation(uri), value, entries) ?? [];
  });
  const conditions = readKeywords.filter(({ kind }) => kind === "if");
  const others = readKeywords.filter(({ kind }) => kind !== "if");
  const index = others.findIndex((keyword) => handlerOf(keyword).dependsOnOthers);
  return index < 0 ? [...others, ...conditions] : others.toSpliced(index, 0, ...conditions);
}
