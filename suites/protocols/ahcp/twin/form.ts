import { createRequire } from "node:module";
import { Ajv2020 } from "ajv/dist/2020.js";
import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { listOrEmpty, objectOrEmpty } from "../../../packs/twins/say.ts";

/** Whether an answer satisfies a form, with or without assertion of formats. Undefined if the form is not a schema. */
export function fitsForm(form: JsonObject, value: Json, checksFormats: boolean): boolean | undefined {
  const engine = engineFor(checksFormats);
  try {
    const { $id, ...schema } = form;
    return engine.validate(schema, value) as boolean;
  } catch {
    return undefined;
  }
}

const engines = new Map<boolean, Ajv2020>();

function engineFor(checksFormats: boolean): Ajv2020 {
  const existing = engines.get(checksFormats);
  if (existing !== undefined) return existing;
  const options = { strict: false, ownProperties: true, logger: false, addUsedSchema: false } as const;
  const engine = new Ajv2020({ ...options, validateFormats: checksFormats });
  if (checksFormats) createRequire(import.meta.url)("ajv-formats").default(engine);
  engines.set(checksFormats, engine);
  return engine;
}

const hidingKeywords = ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if", "dependentSchemas"];
const nestingKeywords = ["properties", "items", "prefixItems", "patternProperties"];

/** Whether a form has only scalar fields, as far as its own keywords tell. */
export function isPlain(form: JsonObject): boolean {
  if (fitsForm(form, {}, false) === undefined) return false;
  if (form.type !== undefined && form.type !== "object") return false;
  if ([...hidingKeywords, "patternProperties"].some((name) => Object.hasOwn(form, name))) return false;
  const fields = objectOrEmpty(form.properties);
  return (
    Object.values(fields).every(isScalar) &&
    listOrEmpty(form.required).every((name) => typeof name === "string" && Object.hasOwn(fields, name))
  );
}

const scalars: Json[] = ["string", "number", "integer", "boolean"];

function isScalar(field: Json): boolean {
  if (!isObject(field)) return false;
  if ([...hidingKeywords, ...nestingKeywords].some((name) => Object.hasOwn(field, name))) return false;
  const { type, enum: values, const: value } = field;
  const namedValues = [...listOrEmpty(values), ...(value === undefined ? [] : [value])];
  if (namedValues.some((named) => typeof named === "object" && named !== null)) return false;
  return type === undefined ? namedValues.length > 0 || values !== undefined : scalars.includes(type);
}
