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

/** Every keyword that is understood. */
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

/** The schemas, and the current one, for references without a file. */
interface Here {
  schemas: Record<string, JsonObject>;
  format: string;
}

function judge(here: Here, schema: Json, value: Json, at: string): Fault[] {
  if (typeof schema === "boolean") return schema ? [] : [{ at, what: "it must not be there", hint: "remove it" }];
  if (!isObject(schema)) return [];
  const fault = plainFault(schema, value, at);
  if (fault !== undefined) return [fault];
  return [
    ...followReference(here, schema, value, at),
    ...(Array.isArray(value) ? items(here, schema, value, at) : []),
    ...(isObject(value) ? members(here, schema, value, at) : []),
    ...combineFaults(here, schema, value, at),
  ];
}

function followReference(here: Here, { $ref }: JsonObject, value: Json, at: string): Fault[] {
  if (typeof $ref !== "string") return [];
  const { format, target } = targetOf(here, $ref);
  return judge({ ...here, format }, target ?? false, value, at);
}

function targetOf(here: Here, $ref: string): { format: string; target: Json | undefined } {
  const [file = "", fragment = ""] = $ref.split("#");
  const format = file === "" ? here.format : file.replace(".schema.json", "");
  return { format, target: pointer.at(fragment, here.schemas[format] as JsonObject) };
}

/** Whether a branch wants a value of another type. */
function isOfOtherType(here: Here, branch: Json, value: Json): boolean {
  if (!isObject(branch)) return false;
  const { type, $ref } = branch;
  if (type !== undefined) return ![type].flat().some((each) => isOf(value, String(each)));
  if (typeof $ref !== "string") return false;
  const { format, target } = targetOf(here, $ref);
  return target !== undefined && isOfOtherType({ ...here, format }, target, value);
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

function items(here: Here, schema: JsonObject, value: Json[], at: string): Fault[] {
  const { items: each, minItems, maxItems, uniqueItems } = schema;
  const found: Fault[] = [];
  if (typeof minItems === "number" && value.length < minItems)
    found.push({ at, what: `it has ${value.length} items, fewer than ${minItems}` });
  if (typeof maxItems === "number" && value.length > maxItems)
    found.push({ at, what: `it has ${value.length} items, more than ${maxItems}` });
  if (uniqueItems === true) {
    const seenFaults = new Set<string>();
    for (const [index, item] of value.entries()) {
      const text = canonical(item);
      if (seenFaults.has(text))
        found.push({ at: pointer.append(at, index), what: "it is there twice", hint: "remove one of the two" });
      seenFaults.add(text);
    }
  }
  return each === undefined
    ? found
    : [...found, ...value.flatMap((item, index) => judge(here, each, item, pointer.append(at, index)))];
}

function members(here: Here, schema: JsonObject, value: JsonObject, at: string): Fault[] {
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
    const there = pointer.append(at, name);
    if (propertyNames !== undefined)
      found.push(
        ...judge(here, propertyNames, name, there).map(({ what, ...more }) => ({ ...more, what: `its name: ${what}` })),
      );
    const own = Object.hasOwn(properties as JsonObject, name) ? (properties as JsonObject)[name] : additionalProperties;
    if (own === false)
      found.push({
        at: there,
        what: `there is no member ${shownName(name, known)}`,
        hint: `${nearestName(name, known)}${flowHint(name, member)}members: ${known.join(", ")}`,
      });
    else if (own !== undefined) found.push(...judge(here, own, member, there));
  }
  return found;
}

/** In YAML a comma between braces ends a text: the words behind it are then a member without a value. */
function flowHint(name: string, value: Json): string {
  return value === null && name.includes(" ") ? "put a text with a comma in quotes; " : "";
}

/** A name unlike every known name may be a secret in the wrong place, and is not shown. */
function shownName(name: string, known: readonly string[]): string {
  const isShort = /^[a-z][\w-]{0,39}$/i.test(name);
  const isLikeOne = isShort && (/^[a-z]{1,12}$/i.test(name) || nearestName(name, known) !== "");
  return isLikeOne ? `"${name}"` : "of this name (not shown: it may be a secret)";
}

function combineFaults(here: Here, schema: JsonObject, value: Json, at: string): Fault[] {
  const {
    dependentSchemas = {},
    allOf = [],
    anyOf,
    oneOf,
    not,
    if: condition,
    then: yes = true,
    else: no = true,
  } = schema;
  const holds = (each: Json): boolean => judge(here, each, value, at).length === 0;
  const found = (allOf as Json[]).flatMap((each) => judge(here, each, value, at));
  if (Array.isArray(anyOf) && !anyOf.some(holds)) found.push(...nearestFaults(here, anyOf, value, at));
  if (Array.isArray(oneOf)) {
    const fitting = oneOf.filter(holds).length;
    if (fitting === 0) found.push(...nearestFaults(here, oneOf, value, at));
    if (fitting > 1)
      found.push({ at, what: "it matches more than one", hint: `one of ${oneOf.map(wantedText).join(", ")} only` });
  }
  for (const [name, each] of Object.entries(dependentSchemas as JsonObject))
    if (isObject(value) && Object.hasOwn(value, name)) found.push(...judge(here, each, value, at));
  if (not !== undefined && holds(not)) found.push({ at, what: "it must not be like this" });
  if (condition !== undefined) found.push(...judge(here, holds(condition) ? yes : no, value, at));
  return found;
}

/**
 * Of several branches, the faults of the branch that was meant: with matching constants first, then with the matching type, then with the
 * fewest faults.
 */
function nearestFaults(here: Here, branches: readonly Json[], value: Json, at: string): Fault[] {
  const weighed = branches.map((branch): [weight: number, faults: Fault[]] => {
    const faults = judge(here, branch, value, at);
    const words = faults.filter(({ at: place }) => /\/(kind|op)$/.test(place)).length;
    return [faults.length + 100 * words + (isOfOtherType(here, branch, value) ? 50 : 0), faults];
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
