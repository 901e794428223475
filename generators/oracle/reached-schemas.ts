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
 * The schemas without parts that these instances do not reach: members that no object in them has, and definitions to which nothing else refers. Every validator judges
 * the instances by the rest as by the whole, and compiles it sooner. The schemas unchanged if their references cannot be followed easily.
 */
export function reachedSchemas(
  schemas: readonly JsonObject[],
  id: string,
  instances: readonly Json[],
): readonly JsonObject[] {
  const reach = new ReachedParts(schemas, namesIn(instances));
  return reach.from(id) ?? schemas;
}

/** All names of members, at any depth. */
function namesIn(instances: readonly Json[]): Set<string> {
  const names = new Set<string>();
  const open: Json[] = [...instances];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    if (isObject(next)) for (const name of Object.keys(next)) names.add(name);
    for (const each of Object.values(next)) open.push(each);
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
  /** The pointers of the definitions that it has already. */
  followed: Set<string>;
}

/** A reference that cannot be followed easily. */
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

  /** The reached parts; undefined if a reference is unclear. */
  from(id: string): JsonObject[] | undefined {
    try {
      this.#open.push(`${id}#`);
      for (let to = this.#open.pop(); to !== undefined; to = this.#open.pop()) this.#follow(to);
    } catch (error) {
      if (error instanceof UnclearReference) return undefined;
      throw error;
    }
    return [...this.#reached.values()].map(({ root }) => root);
  }

  #follow(to: string): void {
    const [id = "", fragment = ""] = to.split("#");
    const path = decodedFragment(fragment);
    const document = this.#documentOf(id);
    if (path === "" || document.followed.has(path)) return;
    const found = definitionPath.test(path) ? pointer.at(path, document.schema) : undefined;
    if (found === undefined) throw new UnclearReference();
    document.followed.add(path);
    const [keyword = "", name = ""] = pointer.segments(path);
    setMember(document.root[keyword] as JsonObject, name, this.#copy(found, id, document.dialect));
  }

  #documentOf(id: string): ReachedDocument {
    const known = this.#reached.get(id);
    if (known !== undefined) return known;
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

  /** A schema without the members that no instance has. Its references are followed later. */
  #copy(schema: Json, id: string, dialect: SchemaDialect): Json {
    if (!isObject(schema)) return schema;
    if (typeof schema[dialect.id] === "string" || dynamicKeywords.some((name) => Object.hasOwn(schema, name)))
      throw new UnclearReference();
    const { $ref, [besideRef]: beside } = schema;
    if (typeof $ref === "string") this.#open.push($ref.startsWith("#") ? `${id}${$ref}` : $ref);
    const copy = { ...schema };
    if (beside !== undefined) copy[besideRef] = this.#copy(beside, id, dialect);
    for (const { keyword, path, schema: below } of subschemas(schema, dialect)) {
      const [, key] = pointer.segments(path);
      // A list or map is copied when its first schema is.
      if (key !== undefined && copy[keyword] === schema[keyword])
        copy[keyword] = withoutSchemas(schema[keyword] as Json);
      if (definitionKeywords.has(keyword) || (keyword === "properties" && !this.#names.has(key ?? ""))) continue;
      const made = this.#copy(below, id, dialect);
      if (key === undefined) copy[keyword] = made;
      else if (Array.isArray(copy[keyword])) copy[keyword].push(made);
      else setMember(copy[keyword] as JsonObject, key, made);
    }
    return copy;
  }
}

/** The names that `dependencies` has beside its schemas; a list of schemas has nothing else. */
function withoutSchemas(value: Json): Json {
  if (!isObject(value)) return [];
  return Object.fromEntries(Object.entries(value).filter(([, each]) => Array.isArray(each)));
}

function decodedFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    throw new UnclearReference();
  }
}
