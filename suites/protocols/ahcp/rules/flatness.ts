import {
  type Breach,
  type Checker,
  equal,
  isObject,
  type Json,
  type JsonObject,
  type Level,
  pointer,
  typeOf,
} from "../../../../schemas/index.ts";
import { isSchema } from "./form.ts";

/** Keywords that describe the inside of an object or a list. */
const nestingKeywords = ["properties", "items", "prefixItems", "patternProperties"];
/** Keywords that apply other schemas, so that this check cannot tell whether the form is flat. */
export const obscureKeywords: readonly string[] = [
  "$ref",
  "$dynamicRef",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "dependentSchemas",
];

// A form with nested fields breaks the rule. If it is unclear whether the fields are nested, the form breaks only a recommendation.
const wrongLevel: Level = "MUST";
const unclearLevel: Level = "SHOULD";

export const flatnessChecker: Checker = {
  rule: "AHCP-ASK-005",
  documents: ["message"],
  *check(message) {
    const form = pointer.at("/request/schema", message);
    if (!isObject(form)) return;
    const isInput = pointer.at("/request/mode", message) === "input";
    // In other modes nobody fills in the form, and the specification does not say whether the rule applies.
    for (const breach of findFlatnessBreaches(form, "/request/schema"))
      yield isInput ? breach : { ...breach, level: "NOTE" };
  },
};

function* findFlatnessBreaches(form: JsonObject, at: string): Iterable<Breach> {
  if (isSchema(form) === false) {
    yield { at, why: "is not a schema of JSON Schema 2020-12", level: wrongLevel };
    return;
  }
  if (form.type !== undefined && form.type !== "object") {
    // ["object"] means the same as "object".
    const level = equal(form.type, ["object"]) ? unclearLevel : wrongLevel;
    yield { at: `${at}/type`, why: `is ${JSON.stringify(form.type)} instead of "object"`, level };
  }
  yield* findObscureKeywords(form, at);
  if (form.patternProperties !== undefined)
    yield { at: `${at}/patternProperties`, why: "names fields by a pattern", level: unclearLevel };
  const fields = isObject(form.properties) ? form.properties : {};
  for (const [name, field] of Object.entries(fields))
    yield* checkField(field, pointer.append(`${at}/properties`, name));
  if (!Array.isArray(form.required)) return;
  for (const [index, name] of form.required.entries())
    if (typeof name === "string" && !Object.hasOwn(fields, name))
      yield { at: `${at}/required/${index}`, why: `asks for "${name}", which is not a field`, level: unclearLevel };
}

/** Finds the places where the schema of a field allows an object or an array, or hides whether it does. */
function* checkField(field: Json, at: string): Iterable<Breach> {
  if (!isObject(field)) {
    if (typeof field === "boolean")
      yield { at, why: `is ${field} and says nothing of the field's type`, level: unclearLevel };
    return;
  }
  const { type, enum: values, const: value } = field;
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
  for (const member of types)
    if (member === "object" || member === "array")
      yield { at: `${at}/type`, why: `admits an ${member}`, level: wrongLevel };
  for (const [index, member] of (Array.isArray(values) ? values : []).entries())
    if (isNested(member)) yield { at: `${at}/enum/${index}`, why: `is an ${typeOf(member)}`, level: wrongLevel };
  if (value !== undefined && isNested(value))
    yield { at: `${at}/const`, why: `is an ${typeOf(value)}`, level: wrongLevel };
  for (const keyword of nestingKeywords)
    if (field[keyword] !== undefined)
      yield { at: `${at}/${keyword}`, why: "describes the inside of a field", level: wrongLevel };
  yield* findObscureKeywords(field, at);
  if (Array.isArray(type)) yield { at: `${at}/type`, why: "is a list of types", level: unclearLevel };
  if (type === "null")
    yield { at: `${at}/type`, why: 'is "null", which is none of the types of a field', level: unclearLevel };
  if (type === undefined && values === undefined && value === undefined)
    yield { at, why: "says nothing of the field's type", level: unclearLevel };
}

function* findObscureKeywords(schema: JsonObject, at: string): Iterable<Breach> {
  for (const keyword of obscureKeywords)
    if (schema[keyword] !== undefined)
      yield { at: pointer.append(at, keyword), why: "hides whether the form is flat", level: unclearLevel };
}

function isNested(value: Json): boolean {
  return typeof value === "object" && value !== null;
}
