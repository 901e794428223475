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
 * Validates a value against one of our own formats, by name. Not a general validator: it supports the keywords of these schemas, starts
 * fast, and describes faults helpfully. A test compares it with Ajv.
 */
export function faultsIn(format: string, value: Json): Fault[] {
  schemas ??= ownSchemas();
  return judge({ schemas, format }, schemas[format] as JsonObject, value, "");
}

/** Validates a value against a schema without references that uses only the keywords of our own formats. `at` is the location of the value. */
export function faultsBy(schema: JsonObject, value: Json, at: string): Fault[] {
  return judge({ schemas: {}, format: "" }, schema, value, at);
}

// Read once, when they are first needed.
let schemas: Record<string, JsonObject> | undefined;

/** The maximum number of faults listed after the first. */
const maxOthers = 5;

/** Throws a usage error for the first fault of a text by the format, with its line, and lists the other faults. */
export function mustBe(format: string, file: string, text: Text): void {
  const [first, ...otherFaults] = faultsIn(format, text.value);
  if (first === undefined) return;
  const hint = `${first.hint ?? `the format is schemas/touchstone/${format}.schema.json`}${besideFirst(first, otherFaults)}`;
  throw new TouchstoneError("usage", first.what, { where: placeOf(file, text, first), hint });
}

/** Lists the faults after the first one on a separate line; empty if there are none. */
export function besideFirst({ at: first }: Fault, otherFaults: readonly Fault[]): string {
  const otherTexts = otherFaults.slice(0, maxOthers).map(({ at, what }) => (at === first ? what : `#${at}: ${what}`));
  const moreCount = otherFaults.length > maxOthers ? `; and ${otherFaults.length - maxOthers} more` : "";
  return otherFaults.length === 0 ? "" : `\n  also: ${otherTexts.join("; ")}${moreCount}`;
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

/** Whether a branch requires a type that the value does not have. */
function isOfOtherType(context: FormatContext, branch: Json, value: Json): boolean {
  if (!isObject(branch)) return false;
  const { type, $ref } = branch;
  if (type !== undefined) return ![type].flat().some((allowed) => isOfType(value, String(allowed)));
  if (typeof $ref !== "string") return false;
  const { format, target } = targetOf(context, $ref);
  return target !== undefined && isOfOtherType({ ...context, format }, target, value);
}

/** The fault of a value, without its members. */
function plainFault(schema: JsonObject, value: Json, at: string): Fault | undefined {
  const {
    type,
    const: constant,
    enum: allowedValues,
    minLength,
    pattern,
    format,
    minimum,
    maximum,
    exclusiveMinimum,
  } = schema;
  const types = type === undefined ? [] : [type].flat();
  if (types.length > 0 && !types.some((allowed) => isOfType(value, String(allowed))))
    return {
      at,
      what: `it is ${shortText(value)}, where ${types.map((allowed) => kinds[String(allowed)]).join(" or ")} is wanted`,
    };
  if (constant !== undefined && !isSame(constant, value))
    return { at, what: `it is ${shortText(value)}`, hint: `write ${shortText(constant)}` };
  if (Array.isArray(allowedValues) && !allowedValues.some((allowedValue) => isSame(allowedValue, value))) {
    const suggestion =
      typeof value === "string"
        ? nearestName(
            value,
            allowedValues.filter((allowedValue) => typeof allowedValue === "string"),
          )
        : "";
    return {
      at,
      what: `it is ${shortText(value)}`,
      hint: `${suggestion}it is one of ${allowedValues.map(shortText).join(", ")}`,
    };
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
  const { items: subschema, minItems, maxItems, uniqueItems } = schema;
  const faults: Fault[] = [];
  if (typeof minItems === "number" && value.length < minItems)
    faults.push({ at, what: `it has ${value.length} items, fewer than ${minItems}` });
  if (typeof maxItems === "number" && value.length > maxItems)
    faults.push({ at, what: `it has ${value.length} items, more than ${maxItems}` });
  if (uniqueItems === true) {
    const seenItems = new Set<string>();
    for (const [index, item] of value.entries()) {
      const text = canonical(item);
      if (seenItems.has(text))
        faults.push({ at: pointer.append(at, index), what: "it is there twice", hint: "remove one of the two" });
      seenItems.add(text);
    }
  }
  return subschema === undefined
    ? faults
    : [...faults, ...value.flatMap((item, index) => judge(context, subschema, item, pointer.append(at, index)))];
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
  const knownNames = Object.keys(properties as JsonObject);
  const faults: Fault[] = (required as string[])
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => ({ at, what: `it has no "${name}"`, hint: `add "${name}"` }));
  for (const [name, others] of Object.entries(dependentRequired as Record<string, string[]>))
    for (const other of Object.hasOwn(value, name) ? others : [])
      if (!Object.hasOwn(value, other))
        faults.push({ at, what: `it has "${name}" and no "${other}"`, hint: `add "${other}"` });
  if (typeof minProperties === "number" && Object.keys(value).length < minProperties)
    faults.push({ at, what: "it is empty" });
  for (const [name, member] of Object.entries(value)) {
    const memberPath = pointer.append(at, name);
    if (propertyNames !== undefined)
      faults.push(
        ...judge(context, propertyNames, name, memberPath).map(({ what, ...more }) => ({
          ...more,
          what: `its name: ${what}`,
        })),
      );
    const memberSchema = Object.hasOwn(properties as JsonObject, name)
      ? (properties as JsonObject)[name]
      : additionalProperties;
    if (memberSchema === false)
      faults.push({
        at: memberPath,
        what: `there is no member ${shownName(name, knownNames)}`,
        hint: `${nearestName(name, knownNames)}${flowHint(name, member)}members: ${knownNames.join(", ")}`,
      });
    else if (memberSchema !== undefined) faults.push(...judge(context, memberSchema, member, memberPath));
  }
  return faults;
}

/** A hint for YAML, in which a comma between braces ends a string: the words after it become a member without a value. */
function flowHint(name: string, value: Json): string {
  return value === null && name.includes(" ") ? "put a text with a comma in quotes; " : "";
}

/** The name as an error message shows it. A name unlike all known names is hidden, because it may be a misplaced secret. */
function shownName(name: string, knownNames: readonly string[]): string {
  const isShort = /^[a-z][\w-]{0,39}$/i.test(name);
  const isLikeOne = isShort && (/^[a-z]{1,12}$/i.test(name) || nearestName(name, knownNames) !== "");
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
  const holds = (subschema: Json): boolean => judge(context, subschema, value, at).length === 0;
  const faults = (allOf as Json[]).flatMap((subschema) => judge(context, subschema, value, at));
  if (Array.isArray(anyOf) && !anyOf.some(holds)) faults.push(...nearestFaults(context, anyOf, value, at));
  if (Array.isArray(oneOf)) {
    const matchCount = oneOf.filter(holds).length;
    if (matchCount === 0) faults.push(...nearestFaults(context, oneOf, value, at));
    if (matchCount > 1)
      faults.push({
        at,
        what: "it matches more than one",
        hint: `one of ${oneOf.map(describeBranch).join(", ")} only`,
      });
  }
  for (const [name, dependentSchema] of Object.entries(dependentSchemas as JsonObject))
    if (isObject(value) && Object.hasOwn(value, name)) faults.push(...judge(context, dependentSchema, value, at));
  if (not !== undefined && holds(not)) faults.push({ at, what: "it must not be like this" });
  if (condition !== undefined) faults.push(...judge(context, holds(condition) ? thenSchema : elseSchema, value, at));
  return faults;
}

/** Weights that outrank the number of faults of a branch. */
const [wrongConstantWeight, wrongTypeWeight] = [100, 50];

/**
 * The faults of the branch that the author most likely meant: preferably one with matching constants, then one with the matching type, then
 * the one with the fewest faults.
 */
function nearestFaults(context: FormatContext, branches: readonly Json[], value: Json, at: string): Fault[] {
  const weightedBranches = branches.map((branch): [weight: number, faults: Fault[]] => {
    const faults = judge(context, branch, value, at);
    const wrongConstants = faults.filter(({ at: place }) => /\/(kind|op)$/.test(place)).length;
    const typeWeight = isOfOtherType(context, branch, value) ? wrongTypeWeight : 0;
    return [faults.length + wrongConstantWeight * wrongConstants + typeWeight, faults];
  });
  return weightedBranches.reduce((best, candidate) => (candidate[0] < best[0] ? candidate : best))[1];
}

function describeBranch(branch: Json): string {
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

function isOfType(value: Json, type: string): boolean {
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

function isSame(first: Json, second: Json): boolean {
  return canonical(first) === canonical(second);
}

function shortText(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
