import { canonical } from "./canonical.ts";
import { TouchstoneError } from "./error.ts";
import { isObject, type Json, type JsonObject, typeOf } from "./json.ts";
import { nearestName } from "./nearest-name.ts";
import { ownSchemas } from "./own-schemas.ts";
import * as pointer from "./pointer.ts";
import type { Text } from "./text-place.ts";

/** A fault of a value in one of our formats: its place, the problem, and the remedy. */
export interface Fault {
  at: string;
  what: string;
  hint?: string;
}

/**
 * Validates a value against one of our own formats, by name. Not a general validator: it knows the keywords of these schemas, starts at
 * once, and explains faults in useful words. A test compares it with another validator.
 */
export function faultsIn(format: string, value: Json): Fault[] {
  schemas ??= ownSchemas();
  return judge({ schemas, format }, schemas[format] as JsonObject, value, "");
}

/** The same for a schema with the keywords of our own formats and without references; `at` is the location of the value. */
export function faultsBy(schema: JsonObject, value: Json, at: string): Fault[] {
  return judge({ schemas: {}, format: "" }, schema, value, at);
}

// Read once, when they are first needed.
let schemas: Record<string, JsonObject> | undefined;

/** The number of other faults named after the first. */
const maxOthers = 5;

/** Throws a usage error for the first thing in a text that is not of the format, with its line, and names the others. */
export function mustBe(format: string, file: string, text: Text): void {
  const [first, ...others] = faultsIn(format, text.value);
  if (first === undefined) return;
  const hint = `${first.hint ?? `the format is schemas/touchstone/${format}.schema.json`}${besideFirst(first, others)}`;
  throw new TouchstoneError("usage", first.what, { where: placeOf(file, text, first), hint });
}

/** The faults after the first one, on a line of their own; empty if there are none. */
export function besideFirst({ at: first }: Fault, others: readonly Fault[]): string {
  const otherTexts = others.slice(0, maxOthers).map(({ at, what }) => (at === first ? what : `#${at}: ${what}`));
  const more = others.length > maxOthers ? `; and ${others.length - maxOthers} more` : "";
  return others.length === 0 ? "" : `\n  also: ${otherTexts.join("; ")}${more}`;
}

/** `FILE:LINE:COLUMN (#/pointer)` of a fault. */
export function placeOf(file: string, text: Text, { at }: Pick<Fault, "at">): string {
  const { line, column } = text.locate(at);
  return `${file}:${line}:${column}${at === "" ? "" : ` (#${at})`}`;
}

/** The keywords that this validator supports. */
export const keywords: readonly string[] = [
  "$schema",
  "$id",
  "$comment",
  "$defs",
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "contentEncoding",
  "$ref",
  "type",
  "const",
  "enum",
  "minLength",
  "pattern",
  "format",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "items",
  "minItems",
  "maxItems",
  "uniqueItems",
  "properties",
  "required",
  "additionalProperties",
  "propertyNames",
  "minProperties",
  "dependentRequired",
  "dependentSchemas",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "then",
  "else",
];

/** Our schemas, and the name of the current one, for references without a file. */
interface FormatContext {
  schemas: Record<string, JsonObject>;
  format: string;
}

function judge(context: FormatContext, schema: Json, value: Json, at: string): Fault[] {
  if (typeof schema === "boolean") return schema ? [] : [{ at, what: "it must not be there", hint: "remove it" }];
  if (!isObject(schema)) return [];
  const fault = plainFault(schema, value, at);
  if (fault !== undefined) return [fault];
  return [
    ...followReference(context, schema, value, at),
    ...(Array.isArray(value) ? itemFaults(context, schema, value, at) : []),
    ...(isObject(value) ? memberFaults(context, schema, value, at) : []),
    ...combineFaults(context, schema, value, at),
  ];
}

function followReference(context: FormatContext, { $ref }: JsonObject, value: Json, at: string): Fault[] {
  if (typeof $ref !== "string") return [];
  const { format, target } = targetOf(context, $ref);
  return judge({ ...context, format }, target ?? false, value, at);
}

function targetOf(context: FormatContext, $ref: string): { format: string; target: Json | undefined } {
  const [file = "", fragment = ""] = $ref.split("#");
  const format = file === "" ? context.format : file.replace(".schema.json", "");
  return { format, target: pointer.at(fragment, context.schemas[format] as JsonObject) };
}

/** Whether a branch requires a value of another type. */
function isOfOtherType(context: FormatContext, branch: Json, value: Json): boolean {
  if (!isObject(branch)) return false;
  const { type, $ref } = branch;
  if (type !== undefined) return ![type].flat().some((each) => isOf(value, String(each)));
  if (typeof $ref !== "string") return false;
  const { format, target } = targetOf(context, $ref);
  return target !== undefined && isOfOtherType({ ...context, format }, target, value);
}

/** The fault of a value, without its members. */
function plainFault(schema: JsonObject, value: Json, at: string): Fault | undefined {
  const { type, const: fixed, enum: words, minLength, pattern, format, minimum, maximum, exclusiveMinimum } = schema;
  const types = type === undefined ? [] : [type].flat();
  if (types.length > 0 && !types.some((each) => isOf(value, String(each))))
    return {
      at,
      what: `it is ${shortText(value)}, where ${types.map((each) => kinds[String(each)]).join(" or ")} is wanted`,
    };
  if (fixed !== undefined && !isSame(fixed, value))
    return { at, what: `it is ${shortText(value)}`, hint: `write ${shortText(fixed)}` };
  if (Array.isArray(words) && !words.some((word) => isSame(word, value))) {
    const near =
      typeof value === "string"
        ? nearestName(
            value,
            words.filter((word) => typeof word === "string"),
          )
        : "";
    return { at, what: `it is ${shortText(value)}`, hint: `${near}it is one of ${words.map(shortText).join(", ")}` };
  }
  if (typeof value === "string") {
    if (typeof minLength === "number" && [...value].length < minLength)
      return { at, what: "it is empty", hint: "write something" };
    if (typeof pattern === "string" && !new RegExp(pattern, "u").test(value))
      return { at, what: `${shortText(value)} has not the form ${pattern}`, ...hintOf(schema) };
    if (format === "date" && !isDate(value)) return { at, what: `there is no day ${value}` };
  }
  if (typeof value === "number") {
    if (typeof minimum === "number" && value < minimum) return { at, what: `${value} is less than ${minimum}` };
    if (typeof maximum === "number" && value > maximum) return { at, what: `${value} is more than ${maximum}` };
    if (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum)
      return { at, what: `${value} is not above ${exclusiveMinimum}` };
  }
  return undefined;
}

function itemFaults(context: FormatContext, schema: JsonObject, value: Json[], at: string): Fault[] {
  const { items: each, minItems, maxItems, uniqueItems } = schema;
  const found: Fault[] = [];
  if (typeof minItems === "number" && value.length < minItems)
    found.push({ at, what: `it has ${value.length} items, fewer than ${minItems}` });
  if (typeof maxItems === "number" && value.length > maxItems)
    found.push({ at, what: `it has ${value.length} items, more than ${maxItems}` });
  if (uniqueItems === true) {
    const seenItems = new Set<string>();
    for (const [index, item] of value.entries()) {
      const text = canonical(item);
      if (seenItems.has(text))
        found.push({ at: pointer.append(at, index), what: "it is there twice", hint: "remove one of the two" });
      seenItems.add(text);
    }
  }
  return each === undefined
    ? found
    : [...found, ...value.flatMap((item, index) => judge(context, each, item, pointer.append(at, index)))];
}

function memberFaults(context: FormatContext, schema: JsonObject, value: JsonObject, at: string): Fault[] {
  const {
    properties = {},
    required = [],
    additionalProperties,
    propertyNames,
    minProperties,
    dependentRequired = {},
  } = schema;
  const known = Object.keys(properties as JsonObject);
  const found: Fault[] = (required as string[])
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => ({ at, what: `it has no "${name}"`, hint: `add "${name}"` }));
  for (const [name, others] of Object.entries(dependentRequired as Record<string, string[]>))
    for (const other of Object.hasOwn(value, name) ? others : [])
      if (!Object.hasOwn(value, other))
        found.push({ at, what: `it has "${name}" and no "${other}"`, hint: `add "${other}"` });
  if (typeof minProperties === "number" && Object.keys(value).length < minProperties)
    found.push({ at, what: "it is empty" });
  for (const [name, member] of Object.entries(value)) {
    const memberPath = pointer.append(at, name);
    if (propertyNames !== undefined)
      found.push(
        ...judge(context, propertyNames, name, memberPath).map(({ what, ...more }) => ({
          ...more,
          what: `its name: ${what}`,
        })),
      );
    const memberSchema = Object.hasOwn(properties as JsonObject, name)
      ? (properties as JsonObject)[name]
      : additionalProperties;
    if (memberSchema === false)
      found.push({
        at: memberPath,
        what: `there is no member ${shownName(name, known)}`,
        hint: `${nearestName(name, known)}${flowHint(name, member)}members: ${known.join(", ")}`,
      });
    else if (memberSchema !== undefined) found.push(...judge(context, memberSchema, member, memberPath));
  }
  return found;
}

/** A hint for YAML, in which a comma between braces ends a text: the words after it become a member without a value. */
function flowHint(name: string, value: Json): string {
  return value === null && name.includes(" ") ? "put a text with a comma in quotes; " : "";
}

/** The name for a message. A name unlike every known name may be a secret in the wrong place, and is not shown. */
function shownName(name: string, known: readonly string[]): string {
  const isShort = /^[a-z][\w-]{0,39}$/i.test(name);
  const isLikeOne = isShort && (/^[a-z]{1,12}$/i.test(name) || nearestName(name, known) !== "");
  return isLikeOne ? `"${name}"` : "of this name (not shown: it may be a secret)";
}

function combineFaults(context: FormatContext, schema: JsonObject, value: Json, at: string): Fault[] {
  const {
    dependentSchemas = {},
    allOf = [],
    anyOf,
    oneOf,
    not,
    if: condition,
    then: thenSchema = true,
    else: elseSchema = true,
  } = schema;
  const holds = (each: Json): boolean => judge(context, each, value, at).length === 0;
  const found = (allOf as Json[]).flatMap((each) => judge(context, each, value, at));
  if (Array.isArray(anyOf) && !anyOf.some(holds)) found.push(...nearestFaults(context, anyOf, value, at));
  if (Array.isArray(oneOf)) {
    const fitting = oneOf.filter(holds).length;
    if (fitting === 0) found.push(...nearestFaults(context, oneOf, value, at));
    if (fitting > 1)
      found.push({ at, what: "it matches more than one", hint: `one of ${oneOf.map(wantedText).join(", ")} only` });
  }
  for (const [name, each] of Object.entries(dependentSchemas as JsonObject))
    if (isObject(value) && Object.hasOwn(value, name)) found.push(...judge(context, each, value, at));
  if (not !== undefined && holds(not)) found.push({ at, what: "it must not be like this" });
  if (condition !== undefined) found.push(...judge(context, holds(condition) ? thenSchema : elseSchema, value, at));
  return found;
}

/** Weights that outrank the number of faults of a branch. */
const [wrongConstantWeight, wrongTypeWeight] = [100, 50];

/**
 * Of several branches, the faults of the branch that was meant: with matching constants first, then with the matching type, then with the
 * fewest faults.
 */
function nearestFaults(context: FormatContext, branches: readonly Json[], value: Json, at: string): Fault[] {
  const weighed = branches.map((branch): [weight: number, faults: Fault[]] => {
    const faults = judge(context, branch, value, at);
    const words = faults.filter(({ at: place }) => /\/(kind|op)$/.test(place)).length;
    const typeWeight = isOfOtherType(context, branch, value) ? wrongTypeWeight : 0;
    return [faults.length + wrongConstantWeight * words + typeWeight, faults];
  });
  return weighed.reduce((best, each) => (each[0] < best[0] ? each : best))[1];
}

function wantedText(branch: Json): string {
  return isObject(branch) && Array.isArray(branch.required)
    ? branch.required.map((name) => `"${name}"`).join(" and ")
    : "them";
}

const kinds: Record<string, string> = {
  null: "null",
  boolean: "true or false",
  integer: "a whole number",
  number: "a number",
  string: "a text",
  array: "a list",
  object: "an object",
};

function isOf(value: Json, type: string): boolean {
  return type === "integer" ? Number.isInteger(value) : typeOf(value) === type;
}

function hintOf({ description, examples }: JsonObject): { hint?: string } {
  if (Array.isArray(examples)) return { hint: `such as ${examples.map(shortText).join(", ")}` };
  return typeof description === "string" ? { hint: description } : {};
}

function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function isSame(one: Json, other: Json): boolean {
  return canonical(one) === canonical(other);
}

function shortText(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
