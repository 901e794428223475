import { isObject, type Json, type JsonObject, ownMember, setMember, unicodeSource } from "../../schemas/index.ts";

/** The functions that `translate` calls for subschemas and for deviations. */
export interface Translation {
  child(schema: Json, path: readonly string[]): JsonObject | boolean;
  /** Reports a part that is not read as written. */
  report(what: string): void;
}

const types = new Set(["null", "boolean", "integer", "number", "string", "array", "object"]);
const singles = ["not", "contains", "propertyNames", "additionalProperties", "additionalItems", "if", "then", "else"];
const lists = ["allOf", "anyOf", "oneOf"];
const maps = ["properties", "patternProperties"];
const counts = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"];
const draft03Keywords = ["extends", "disallow", "divisibleBy"];

/** Rewrites a draft-04 to draft-07 schema as draft-07, without `$ref` and annotations. A keyword with an invalid value is reported and left out. */
export function translate(schema: JsonObject, { child, report }: Translation): JsonObject {
  const into: JsonObject = {};
  const leaveOut = (name: string, why: string) => report(`${name} ${why}: left out`);
  const isSchema = (value: Json | undefined): value is JsonObject | boolean =>
    isObject(value) || typeof value === "boolean";
  const translateInner = (name: string, value: Json, path: readonly string[]): JsonObject | boolean | undefined => {
    if (isSchema(value)) return child(value, path);
    leaveOut(name, "contains a value that is not a schema");
    return undefined;
  };
  for (const [name, value] of Object.entries(schema)) {
    if (singles.includes(name) || (name === "items" && !Array.isArray(value))) {
      const translated = translateInner(name, value, [name]);
      if (translated !== undefined) into[name] = translated;
    } else if (lists.includes(name) || name === "items") {
      if (!Array.isArray(value)) leaveOut(name, "is not a list");
      else {
        const translated = value.map((each, index) => translateInner(name, each, [name, String(index)]) ?? true);
        if (translated.length > 0) into[name] = translated;
      }
    } else if (maps.includes(name)) {
      if (!isObject(value)) leaveOut(name, "is not an object");
      else {
        const entries: JsonObject = {};
        for (const [key, each] of Object.entries(value)) {
          const translated = translateInner(name, each, [name, key]);
          if (translated !== undefined)
            setMember(entries, name === "patternProperties" ? translatePattern(key, report) : key, translated);
        }
        into[name] = entries;
      }
    } else if (counts.includes(name)) {
      if (typeof value === "number" && Number.isInteger(value) && value >= 0) into[name] = value;
      else leaveOut(name, "is not a count");
    } else if (draft03Keywords.includes(name)) leaveOut(name, "is of draft-03");
    else ownMember(readers, name)?.(value, { into, schema, leaveOut: (why) => leaveOut(name, why), report, child });
  }
  return into;
}

/** Whether a keyword asserts something, itself or through its subschemas. */
export function isAssertion(name: string): boolean {
  return [...singles, "items", ...lists, ...maps, ...counts, ...Object.keys(readers)].includes(name);
}

interface KeywordTarget extends Translation {
  /** The translated schema, which gets the keyword. */
  into: JsonObject;
  /** The schema as written. */
  schema: JsonObject;
  /** Reports that the keyword is left out, and why. */
  leaveOut(why: string): void;
}

type KeywordReader = (value: Json, target: KeywordTarget) => void;

const isStrings = (value: Json): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

/** Reads a bound. In draft-04 a boolean keyword beside it excludes the limit itself. */
const boundTranslator =
  (name: "minimum" | "maximum", exclusive: "exclusiveMinimum" | "exclusiveMaximum"): KeywordReader =>
  (value, { into, schema, leaveOut }) => {
    if (typeof value !== "number") leaveOut("is not a number");
    else into[schema[exclusive] === true ? exclusive : name] = value;
  };

const exclusiveBound =
  (name: string): KeywordReader =>
  (value, { into, leaveOut }) => {
    if (typeof value === "number") into[name] = value;
    else if (typeof value !== "boolean") leaveOut("is not a number");
  };

const readers: Record<string, KeywordReader | undefined> = {
  type(value, { into, leaveOut }) {
    const typeNames = typeof value === "string" ? [value] : value;
    if (!isStrings(typeNames) || !typeNames.every((each) => types.has(each) || each === "any"))
      leaveOut("names an unknown type");
    else if (typeNames.length > 0 && !typeNames.includes("any"))
      into.type = typeNames.length === 1 ? (typeNames[0] as string) : [...new Set(typeNames)];
  },
  enum(value, { into, leaveOut }) {
    if (!Array.isArray(value)) leaveOut("is not a list");
    else into.enum = value;
  },
  const(value, { into }) {
    into.const = value;
  },
  minimum: boundTranslator("minimum", "exclusiveMinimum"),
  maximum: boundTranslator("maximum", "exclusiveMaximum"),
  exclusiveMinimum: exclusiveBound("exclusiveMinimum"),
  exclusiveMaximum: exclusiveBound("exclusiveMaximum"),
  multipleOf(value, { into, leaveOut }) {
    if (typeof value === "number" && value > 0) into.multipleOf = value;
    else leaveOut("is not a number over 0");
  },
  pattern(value, { into, leaveOut, report }) {
    if (typeof value === "string") into.pattern = translatePattern(value, report);
    else leaveOut("is not text");
  },
  format(value, { into, leaveOut }) {
    if (typeof value === "string") into.format = value;
    else leaveOut("is not text");
  },
  required(value, { into, leaveOut }) {
    if (typeof value === "boolean") leaveOut("is a boolean, as in draft-03");
    else if (!isStrings(value)) leaveOut("is not a list of names");
    else if (value.length > 0) into.required = [...new Set(value)];
  },
  uniqueItems(value, { into, leaveOut }) {
    if (typeof value === "boolean") into.uniqueItems = value;
    else leaveOut("is not a boolean");
  },
  dependencies(value, { into, leaveOut, child }) {
    if (!isObject(value)) return leaveOut("is not an object");
    const entries: JsonObject = {};
    for (const [name, each] of Object.entries(value)) {
      if (typeof each === "string") setMember(entries, name, [each]);
      else if (isStrings(each)) setMember(entries, name, [...new Set(each)]);
      else if (isObject(each) || typeof each === "boolean")
        setMember(entries, name, child(each, ["dependencies", name]));
      else leaveOut("contains a value that is not a schema");
    }
    into.dependencies = entries;
  },
};

function translatePattern(source: string, report: Translation["report"]): string {
  const unicodePattern = unicodeSource(source);
  if (unicodePattern === undefined) throw new Error(`the pattern ${source} is not a regular expression`);
  if (unicodePattern !== source) report("a pattern is not valid with the flag u: read without the flag");
  return unicodePattern;
}
