import { pathToFileURL } from "node:url";
import { type Dialect, dialectOf, dialects, schemaUriOf, subschemas } from "./dialect.ts";
import { faultIn, type SchemaDocument } from "./document.ts";
import { equal, isObject, type Json, type JsonObject, setMember } from "./json.ts";
import type { StandIns } from "./number-stand-ins.ts";
import { type Numbered, readBound, readStep, readValues } from "./numbers.ts";
import { patternFault } from "./patterns.ts";
import { append, at as valueAt } from "./pointer.ts";
import { ecmaSource, widePattern } from "./regex-flavours.ts";
import { convertStable, isStable } from "./stable-dialect.ts";
import type { Text } from "./text-place.ts";
import { unicodeSource } from "./unicode.ts";
import { type Note, removeUnreadParts, showValue } from "./unread-parts.ts";

/** Guesses the dialect of a schema without a known `$schema`: the latest, unless its keywords belong to an older one. */
export function guessDialect(schema: JsonObject): Dialect {
  const dialectNamed = (name: string) => dialects.find((dialect) => dialect.name === name) as Dialect;
  const allSchemas = [...everySchema(schema)];
  const has = (...names: string[]) =>
    allSchemas.some((schemaObject) => names.some((name) => Object.hasOwn(schemaObject, name)));
  if (has("prefixItems", "$dynamicRef", "$dynamicAnchor")) return dialectNamed("2020-12");
  if (has("$recursiveRef", "$recursiveAnchor")) return dialectNamed("2019-09");
  const isOld =
    has("additionalItems", "dependencies") ||
    allSchemas.some(
      ({ items, exclusiveMinimum, exclusiveMaximum }) =>
        Array.isArray(items) || typeof exclusiveMinimum === "boolean" || typeof exclusiveMaximum === "boolean",
    );
  const isNewer = has("dependentSchemas", "dependentRequired", "minContains", "unevaluatedProperties", "$anchor");
  if (isNewer) return dialectNamed(isOld ? "2019-09" : "2020-12");
  if (typeof schema.id === "string" && !has("$id", "const", "contains", "propertyNames", "if"))
    return dialectNamed("draft-04");
  return dialectNamed(isOld ? "draft-07" : "2020-12");
}

/** Every schema object in a schema, at each position that any dialect allows. */
function* everySchema(schema: JsonObject): Generator<JsonObject> {
  const [, , , older, newest] = dialects as [Dialect, Dialect, Dialect, Dialect, Dialect];
  const anyDialect: Dialect = {
    ...newest,
    single: new Set([...older.single, ...newest.single]),
    list: new Set([...older.list, ...newest.list]),
  };
  const unvisited = [schema];
  for (let next = unvisited.pop(); next !== undefined; next = unvisited.pop()) {
    yield next;
    for (const { schema: subschema } of subschemas(next, anyDialect))
      if (isObject(subschema)) unvisited.push(subschema);
  }
}

/** Adds the guessed `$schema` to a text that does not name a known dialect. Throws a usage error for drafts before 04. */
export function withDialect(file: string, text: Text, note: Note): Text {
  const { value } = text;
  if (!isObject(value) || (dialectOf(value.$schema) !== undefined && value.$schema !== undefined)) return text;
  const { $schema } = value;
  if (isStable($schema)) {
    note("/$schema", "JSON Schema v1 is read as 2020-12, which has the same meaning");
    return { ...text, value: convertStable(file, text) };
  }
  const draft = /draft-0?([0-3])\b/.exec(String($schema))?.[1];
  if (draft !== undefined) {
    const hint = "write the schema in draft-04 or a newer one";
    throw faultIn({ file, text }, "/$schema", `draft-0${draft} is not supported`, hint);
  }
  const guessedDialect = guessDialect(value);
  if ($schema === undefined && guessedDialect === dialects.at(-1)) return text;
  const what = $schema === undefined ? "no $schema" : `the dialect ${JSON.stringify($schema)} is not known`;
  note($schema === undefined ? "" : "/$schema", `${what}: read as ${guessedDialect.name}`);
  return { ...text, value: { ...value, $schema: schemaUriOf(guessedDialect) } };
}

/**
 * Changes the schema at the location so that its dialect allows it: rewrites a keyword with only one possible meaning, and removes keywords
 * with an impossible value, which have no effect.
 */
export function repairSchema(document: SchemaDocument, at: string, note: Note, standIns: StandIns): void {
  const { dialect, schema } = document;
  const seenAddresses = new Set<string>();
  const unvisited: { schema: JsonObject; at: string; base: string }[] = [];
  const start = valueAt(at, schema);
  if (isObject(start)) unvisited.push({ schema: start, at, base: pathToFileURL(document.path).href });
  for (let next = unvisited.pop(); next !== undefined; next = unvisited.pop()) {
    const repairContext: Repair = {
      ...next,
      dialect,
      seen: seenAddresses,
      standIns,
      note: (name, ...what) => note(append(next?.at ?? "", name), ...what),
      numberAt: (name, within = "") => document.text.number?.(`${append(next?.at ?? "", name)}${within}`),
    };
    const base = identifySchema(repairContext);
    for (const [name, write] of Object.entries(repairs)) {
      const value = next.schema[name];
      if (Object.hasOwn(next.schema, name)) write?.(value as Json, repairContext);
    }
    for (const { path, schema: subschema } of [...subschemas(next.schema, dialect)].reverse())
      if (isObject(subschema)) unvisited.push({ schema: subschema, at: `${next.at}${path}`, base });
  }
  removeUnreadParts(document, at, note);
}

interface Repair extends Numbered {
  dialect: Dialect;
  base: string;
  at: string;
  /** Addresses of the schemas of this document so far. */
  seen: Set<string>;
}

/** Keywords with only one possible meaning, although the dialect does not allow them. */
const repairs: Readonly<Record<string, ((value: Json, repair: Repair) => void) | undefined>> = {
  ...Object.fromEntries(
    ["maximum", "minimum"].map((name) => [name, (value: Json, repair: Repair) => readBound(name, value, repair)]),
  ),
  $schema(value, { schema, dialect, at, note }) {
    if (at === "" || dialectOf(value) === dialect) return;
    // A resource of a different dialect is refused later, since its keywords would mean something else.
    if (typeof schema[dialect.id] === "string" && dialectOf(value) !== undefined) return;
    note("$schema", `${showValue(value)} inside a document of ${dialect.name} says nothing`, true);
    delete schema.$schema;
  },
  $recursiveAnchor(_value, { schema, dialect, at, note }) {
    if (at === "" || typeof schema[dialect.id] === "string") return;
    note("$recursiveAnchor", `below the root of a resource says nothing`, true);
    delete schema.$recursiveAnchor;
  },
  required(value, { schema }) {
    if (!Array.isArray(value)) return;
    const names = uniqueValues(value);
    if (names.length > 0) schema.required = names;
    else delete schema.required;
  },
  multipleOf: readStep,
  const(value, repair) {
    if (repair.dialect.name !== "draft-04") readValues("const", value, repair);
  },
  enum(value, repair) {
    if (!Array.isArray(value)) return;
    const { schema, dialect, note } = repair;
    readValues("enum", value, repair);
    const readItems = schema.enum as Json[];
    if (value.length > maxCompared) return;
    if (readItems.length === 0 && !dialect.besideRef) {
      // Older drafts forbid an empty list, but its meaning is clear: nothing is a member of it.
      note("enum", "nothing is a member of an empty list: read as a schema that refuses everything");
      delete schema.enum;
      schema.not = schema.not === undefined ? {} : { anyOf: [schema.not, {}] };
      return;
    }
    schema.enum = uniqueValues(readItems);
    const repeatedItem = readItems.find(
      (item, index) => readItems.findIndex((otherItem) => equal(otherItem, item)) < index,
    );
    if (repeatedItem !== undefined) note("enum", `${showValue(repeatedItem)} is there twice, and is read once`);
  },
  type(value, { schema }) {
    if (value === "any" || (Array.isArray(value) && value.includes("any"))) delete schema.type;
    else if (Array.isArray(value)) schema.type = uniqueValues(value);
  },
  nullable(value, { schema, note }) {
    // In OpenAPI 3.0, `nullable` adds null to a type. Ajv supports it in every dialect, but not without a type, or with a type that contradicts it.
    const { type } = schema;
    const includesNull = type === "null" || (Array.isArray(type) && type.includes("null"));
    if (typeof value === "boolean" && type !== undefined && (value || !includesNull)) return;
    const misplaced = typeof value === "boolean" ? "beside the type null" : showValue(value);
    const why = type === undefined ? "without a type" : misplaced;
    note("nullable", `${why} says nothing`, true);
    delete schema.nullable;
  },
  allOf: unlessEmpty("allOf"),
  anyOf: unlessEmpty("anyOf"),
  oneOf: unlessEmpty("oneOf"),
  items: unlessEmpty("items"),
  prefixItems: unlessEmpty("prefixItems"),
  exclusiveMinimum: flag("exclusiveMinimum", "minimum"),
  exclusiveMaximum: flag("exclusiveMaximum", "maximum"),
  dependencies(value, { schema, note }) {
    if (!isObject(value)) return;
    for (const [name, dependency] of Object.entries(value)) {
      if (typeof dependency === "string") {
        note("dependencies", listName(name, dependency));
        setMember(schema.dependencies as JsonObject, name, [dependency]);
      } else if (Array.isArray(dependency))
        setMember(schema.dependencies as JsonObject, name, uniqueValues(dependency));
    }
  },
  dependentRequired(value, { schema, note }) {
    if (!isObject(value)) return;
    const keptMembers: JsonObject = {};
    for (const [name, dependency] of Object.entries(value)) {
      if (typeof dependency === "string") note("dependentRequired", listName(name, dependency));
      const names = typeof dependency === "string" ? [dependency] : dependency;
      if (Array.isArray(names) && names.every((other) => typeof other === "string"))
        setMember(keptMembers, name, uniqueValues(names));
      else
        note("dependentRequired", `${name}: ${showValue(dependency)} is not a list of names: it asserts nothing`, true);
    }
    schema.dependentRequired = keptMembers;
  },
  pattern(value, { schema, note }) {
    if (typeof value !== "string") return;
    const legal = unicodeSource(value);
    if (legal === value) return;
    const ecmaPattern = ecmaSource(value);
    if (ecmaPattern !== undefined) {
      note("pattern", `${value} is not of ECMA-262, and read as ${ecmaPattern}`);
      schema.pattern = ecmaPattern;
      const wideSource = ecmaSource(value, true);
      if (wideSource !== undefined && wideSource !== ecmaPattern) schema[widePattern] = wideSource;
    } else if (legal === undefined) {
      note("pattern", `${value} is not a regular expression (${patternFault(value)?.why})`, true);
      delete schema.pattern;
    } else {
      note("pattern", `${value} is illegal with the flag u, and read without it, as ${legal}`);
      schema.pattern = legal;
    }
  },
  patternProperties(value, { schema, note }) {
    if (!isObject(value) || Object.keys(value).every((source) => unicodeSource(source) === source)) return;
    const entries: JsonObject = {};
    for (const [source, subschema] of Object.entries(value)) {
      const legal = unicodeSource(source);
      const ecmaPattern = legal === source ? undefined : ecmaSource(source);
      setMember(entries, ecmaPattern ?? legal ?? source, subschema);
      if (ecmaPattern !== undefined)
        note("patternProperties", `${source} is not of ECMA-262, and read as ${ecmaPattern}`);
      else if (legal !== undefined && legal !== source)
        note("patternProperties", `${source} is illegal with the flag u, and read without it, as ${legal}`);
    }
    schema.patternProperties = entries;
  },
};

/** The note for a name in place of a list of one name, as in draft-03. */
function listName(name: string, other: string): string {
  return `${name}: ${showValue(other)} is of draft-03, and read as the list of this one name`;
}

/** Longer lists are compared only by identity: comparing every pair would be too slow, and validators accept repetitions. */
const maxCompared = 1000;

function uniqueValues(values: readonly Json[]): Json[] {
  return values.length > maxCompared
    ? [...new Set(values)]
    : values.filter((value, index) => values.findIndex((other) => equal(other, value)) === index);
}

/** Removes an empty list of schemas, which asserts nothing. */
function unlessEmpty(name: string) {
  return (value: Json, { schema }: Repair): void => {
    if (Array.isArray(value) && value.length === 0) delete schema[name];
  };
}

/** Converts the form of draft-04: a boolean makes the bound exclusive. */
function flag(name: string, bound: string) {
  return (value: Json, repair: Repair): void => {
    const { schema, dialect, note } = repair;
    if (typeof value === "number") readBound(name, value, repair);
    if (dialect.name === "draft-04" || typeof value !== "boolean") return;
    note(name, `${value} is of draft-04, and read as there`);
    delete schema[name];
    if (!value || schema[bound] === undefined) return;
    schema[name] = schema[bound] as Json;
    delete schema[bound];
  };
}

/** Repairs or removes the identifier of the schema. Returns the base address for its parts. */
function identifySchema({ schema, dialect, base, at, seen, note }: Repair): string {
  const keyword = dialect.id;
  const id = schema[keyword];
  if (typeof id !== "string" || (!dialect.besideRef && typeof schema.$ref === "string" && at !== "")) return base;
  const dropId = (why: string, isLeftOut = false): string => {
    note(keyword, `${id} ${why}`, isLeftOut);
    delete schema[keyword];
    return base;
  };
  if (!URL.canParse(id, base)) return dropId("is not a URI", true);
  const url = new URL(id, base);
  const fragment = id.includes("#") ? id.slice(id.indexOf("#") + 1) : "";
  url.hash = "";
  const isHere = id.startsWith("#") || url.href === base;
  if (fragment !== "" && isHere && at !== "") {
    if (!dialect.besideRef) {
      schema[keyword] = `#${fragment}`;
      return base;
    }
    if (typeof schema.$anchor !== "string" && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(fragment)) schema.$anchor = fragment;
    return dropId(`is an anchor in ${dialect.name}`);
  }
  if (id === "" || id.startsWith("#") || (isHere && at !== "")) return dropId("names nothing of its own", true);
  if (seen.has(url.href)) return dropId("names two schemas; the first keeps it");
  seen.add(url.href);
  if (fragment !== "") {
    note(keyword, `${id} is read without its fragment`);
    schema[keyword] = id.slice(0, id.indexOf("#"));
  }
  return url.href;
}
