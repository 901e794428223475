import { isObject, type Json, type JsonObject, own, setMember, unicodeSource } from "../../schemas/index.ts";

/** The translation of a subschema, and of a reference, while a schema is rewritten. */
export interface Translation {
  child(schema: Json, path: readonly string[]): JsonObject | boolean;
  /** Notes parts that are read otherwise than written. */
  tell(what: string): void;
}

const types = new Set(["null", "boolean", "integer", "number", "string", "array", "object"]);
const single = ["not", "contains", "propertyNames", "additionalProperties", "additionalItems", "if", "then", "else"];
const lists = ["allOf", "anyOf", "oneOf"];
const maps = ["properties", "patternProperties"];
const counts = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"];
const gone = ["extends", "disallow", "divisibleBy"];

/**
 * One schema of draft-04 to draft-07, `$ref` apart, in terms of draft-07 and without annotations. A keyword with a value that it
 * can have says nothing.
 */
export function translate(schema: JsonObject, { child, tell }: Translation): JsonObject {
  const into: JsonObject = {};
  const bad = (name: string, why: string) => tell(`${name} ${why}: left out`);
  const isSchema = (value: Json | undefined): value is JsonObject | boolean =>
    isObject(value) || typeof value === "boolean";
  const inner = (name: string, value: Json, path: readonly string[]): JsonObject | boolean | undefined => {
    if (isSchema(value)) return child(value, path);
    bad(name, "contains a value that is not a schema");
    return undefined;
  };
  for (const [name, value] of Object.entries(schema)) {
    if (single.includes(name) || (name === "items" && !Array.isArray(value))) {
      const made = inner(name, value, [name]);
      if (made !== undefined) into[name] = made;
    } else if (lists.includes(name) || name === "items") {
      if (!Array.isArray(value)) bad(name, "is not a list");
      else {
        const made = value.map((each, index) => inner(name, each, [name, String(index)]) ?? true);
        if (made.length > 0) into[name] = made;
      }
    } else if (maps.includes(name)) {
      if (!isObject(value)) bad(name, "is not an object");
      else {
        const entries: JsonObject = {};
        for (const [key, each] of Object.entries(value)) {
          const made = inner(name, each, [name, key]);
          if (made !== undefined) setMember(entries, name === "patternProperties" ? pattern(key, tell) : key, made);
        }
        into[name] = entries;
      }
    } else if (counts.includes(name)) {
      if (typeof value === "number" && Number.isInteger(value) && value >= 0) into[name] = value;
      else bad(name, "is not a count");
    } else if (gone.includes(name)) bad(name, "is of draft-03");
    else own(readers, name)?.(value, into, schema, (why) => bad(name, why), tell, child);
  }
  return into;
}

/** Whether a keyword asserts something, by itself or by its subschemas. */
export function isAssertion(name: string): boolean {
  return [...single, "items", ...lists, ...maps, ...counts, ...Object.keys(readers)].includes(name);
}

type KeywordReader = (
  value: Json,
  into: JsonObject,
  schema: JsonObject,
  bad: (why: string) => void,
  tell: Translation["tell"],
  child: Translation["child"],
) => void;

const isStrings = (value: Json): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

/** A bound; draft-04 says with a boolean beside it whether the limit itself is allowed. */
const bound =
  (name: "minimum" | "maximum", exclusive: "exclusiveMinimum" | "exclusiveMaximum"): KeywordReader =>
  (value, into, schema, bad) => {
    if (typeof value !== "number") bad("is not a number");
    else into[schema[exclusive] === true ? exclusive : name] = value;
  };

const exclusiveBound =
  (name: string): KeywordReader =>
  (value, into, _schema, bad) => {
    if (typeof value === "number") into[name] = value;
    else if (typeof value !== "boolean") bad("is not a number");
  };

const readers: Record<string, KeywordReader | undefined> = {
  type(value, into, _schema, bad) {
    const given = typeof value === "string" ? [value] : value;
    if (!isStrings(given) || !given.every((each) => types.has(each) || each === "any")) bad("names an unknown type");
    else if (given.length > 0 && !given.includes("any"))
      into.type = given.length === 1 ? (given[0] as string) : [...new Set(given)];
  },
  enum(value, into, _schema, bad) {
    if (!Array.isArray(value)) bad("is not a list");
    else into.enum = value;
  },
  const(value, into) {
    into.const = value;
  },
  minimum: bound("minimum", "exclusiveMinimum"),
  maximum: bound("maximum", "exclusiveMaximum"),
  exclusiveMinimum: exclusiveBound("exclusiveMinimum"),
  exclusiveMaximum: exclusiveBound("exclusiveMaximum"),
  multipleOf(value, into, _schema, bad) {
    if (typeof value === "number" && value > 0) into.multipleOf = value;
    else bad("is not a number over 0");
  },
  pattern(value, into, _schema, bad, tell) {
    if (typeof value === "string") into.pattern = pattern(value, tell);
    else bad("is not text");
  },
  format(value, into, _schema, bad) {
    if (typeof value === "string") into.format = value;
    else bad("is not text");
  },
  required(value, into, _schema, bad) {
    if (typeof value === "boolean") bad("is a boolean, as in draft-03");
    else if (!isStrings(value)) bad("is not a list of names");
    else if (value.length > 0) into.required = [...new Set(value)];
  },
  uniqueItems(value, into, _schema, bad) {
    if (typeof value === "boolean") into.uniqueItems = value;
    else bad("is not a boolean");
  },
  dependencies(value, into, _schema, bad, _tell, child) {
    if (!isObject(value)) return bad("is not an object");
    const entries: JsonObject = {};
    for (const [name, each] of Object.entries(value)) {
      if (typeof each === "string") setMember(entries, name, [each]);
      else if (isStrings(each)) setMember(entries, name, [...new Set(each)]);
      else if (isObject(each) || typeof each === "boolean")
        setMember(entries, name, child(each, ["dependencies", name]));
      else bad("contains a value that is not a schema");
    }
    into.dependencies = entries;
  },
};

function pattern(source: string, tell: Translation["tell"]): string {
  const legal = unicodeSource(source);
  if (legal === undefined) throw new Error(`the pattern ${source} is not a regular expression`);
  if (legal !== source) tell("a pattern is not valid with the flag u: read without the flag");
  return legal;
}
