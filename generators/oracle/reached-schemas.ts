import {
  besideRef,
  dialectOf,
  type dialects,
  isObject,
  type Json,
  type JsonObject,
  pointer,
  setMember,
  subschemas,
} from "../../schemas/index.ts";
import { identifier } from "../compile/compile.ts";

/**
 * Returns the schemas without parts that these instances do not reach: members that no object in them has, and definitions that only such members
 * refer to. Validators give the same verdicts, and compile faster. Returns the schemas unchanged if their references are not simple.
 */
export function reachedSchemas(
  schemas: readonly JsonObject[],
  id: string,
  instances: readonly Json[],
): readonly JsonObject[] {
  const reach = new ReachedParts(schemas, namesIn(instances));
  return reach.collectFrom(id) ?? schemas;
}

/** Lists all names of members, at any depth. */
function namesIn(instances: readonly Json[]): Set<string> {
  const names = new Set<string>();
  const stack: Json[] = [...instances];
  for (let part = stack.pop(); part !== undefined; part = stack.pop()) {
    if (typeof part !== "object" || part === null) continue;
    if (isObject(part)) for (const name of Object.keys(part)) names.add(name);
    for (const inner of Object.values(part)) stack.push(inner);
  }
  return names;
}

type SchemaDialect = (typeof dialects)[number];

/** Keywords with a meaning that depends on more than the schema with that name. */
const dynamicKeywords = [
  "$anchor",
  "$dynamicAnchor",
  "$dynamicRef",
  "$recursiveAnchor",
  "$recursiveRef",
  "$vocabulary",
];
const definitionKeywords = new Set(["definitions", "$defs"]);
const definitionPath = /^\/(definitions|\$defs)\/[^/]+$/;

/** A schema document, and its reached parts. */
interface ReachedDocument {
  schema: JsonObject;
  dialect: SchemaDialect;
  root: JsonObject;
  /** The pointers of the definitions that were copied. */
  followed: Set<string>;
}

/** Thrown for a reference that is not simple. */
class UnclearReference extends Error {}

class ReachedParts {
  readonly #schemas: ReadonlyMap<string, JsonObject>;
  readonly #names: ReadonlySet<string>;
  readonly #reached = new Map<string, ReachedDocument>();
  /** References that are not yet followed. */
  readonly #open: string[] = [];

  constructor(schemas: readonly JsonObject[], names: ReadonlySet<string>) {
    this.#schemas = new Map(schemas.map((schema) => [identifier(schema), schema]));
    this.#names = names;
  }

  /** Collects the reached parts; undefined if a reference is unclear. */
  collectFrom(id: string): JsonObject[] | undefined {
    try {
      this.#open.push(`${id}#`);
      for (let reference = this.#open.pop(); reference !== undefined; reference = this.#open.pop())
        this.#follow(reference);
    } catch (error) {
      if (error instanceof UnclearReference) return undefined;
      throw error;
    }
    return [...this.#reached.values()].map(({ root }) => root);
  }

  #follow(reference: string): void {
    const [id = "", fragment = ""] = reference.split("#");
    const path = decodeFragment(fragment);
    const document = this.#documentOf(id);
    if (path === "" || document.followed.has(path)) return;
    const definition = definitionPath.test(path) ? pointer.at(path, document.schema) : undefined;
    if (definition === undefined) throw new UnclearReference();
    document.followed.add(path);
    const [keyword = "", name = ""] = pointer.segments(path);
    setMember(document.root[keyword] as JsonObject, name, this.#copy(definition, id, document.dialect));
  }

  #documentOf(id: string): ReachedDocument {
    const cached = this.#reached.get(id);
    if (cached !== undefined) return cached;
    const schema = this.#schemas.get(id);
    const dialect = dialectOf(schema?.$schema);
    if (schema === undefined || dialect === undefined) throw new UnclearReference();
    const { [dialect.id]: name, ...rest } = schema;
    const root: JsonObject = { [dialect.id]: name as Json, ...(this.#copy(rest, id, dialect) as JsonObject) };
    for (const keyword of definitionKeywords) if (Object.hasOwn(schema, keyword)) root[keyword] = {};
    const document: ReachedDocument = { schema, dialect, root, followed: new Set() };
    this.#reached.set(id, document);
    return document;
  }

  /** Copies a schema without the members that no instance has. Its references are followed later. */
  #copy(schema: Json, id: string, dialect: SchemaDialect): Json {
    if (!isObject(schema)) return schema;
    if (typeof schema[dialect.id] === "string" || dynamicKeywords.some((name) => Object.hasOwn(schema, name)))
      throw new UnclearReference();
    const { $ref, [besideRef]: siblings } = schema;
    if (typeof $ref === "string") this.#open.push($ref.startsWith("#") ? `${id}${$ref}` : $ref);
    const copy = { ...schema };
    if (siblings !== undefined) copy[besideRef] = this.#copy(siblings, id, dialect);
    for (const { keyword, path, schema: subschema } of subschemas(schema, dialect)) {
      const [, key] = pointer.segments(path);
      // A list or map is copied together with its first schema.
      if (key !== undefined && copy[keyword] === schema[keyword])
        copy[keyword] = withoutSchemas(schema[keyword] as Json);
      if (definitionKeywords.has(keyword) || (keyword === "properties" && !this.#names.has(key ?? ""))) continue;
      const reached = this.#copy(subschema, id, dialect);
      if (key === undefined) copy[keyword] = reached;
      else if (Array.isArray(copy[keyword])) copy[keyword].push(reached);
      else setMember(copy[keyword] as JsonObject, key, reached);
    }
    return copy;
  }
}

/** Removes the schemas from a list or map of schemas. Only `dependencies` has other entries. */
function withoutSchemas(value: Json): Json {
  if (!isObject(value)) return [];
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => Array.isArray(entry)));
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    throw new UnclearReference();
  }
}
