import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Ajv, AnySchemaObject, ErrorObject, Options, ValidateFunction } from "ajv";
import type { Dialect } from "./dialect.ts";
import { faultIn, type SchemaDocument } from "./document.ts";
import { home } from "./home.ts";
import type { Json } from "./json.ts";
import { nearestName } from "./nearest-name.ts";
import { at as valueAt } from "./pointer.ts";
import { compareItemsAsTexts } from "./unique-items.ts";

const require = createRequire(import.meta.url);
const validators = new Map<string, ValidateFunction>();
/** Validators that find all errors, not only the first. */
const thoroughValidators = new Map<string, ValidateFunction>();

/** Throws a usage error for the first keyword, at or below the location, with a value that its dialect does not allow. */
export function refuseMisshapen(document: SchemaDocument, at: string): void {
  const { dialect, schema } = document;
  const value = valueAt(at, schema);
  // Finding all errors with an existing validator is faster than compiling another one.
  if (thoroughValidators.get(dialect.name)?.(value)) return;
  const validate = validators.get(dialect.name) ?? compileValidator(dialect);
  validators.set(dialect.name, validate);
  if (validate(value)) return;
  const error = deepestOf(validate.errors ?? []);
  const path = `${at}${error.instancePath}`;
  const wrongValue = valueAt(path, schema) as Json;
  const allowedValues: Json[] = error.params.allowedValues ?? [];
  const nearestHint =
    typeof wrongValue === "string"
      ? nearestName(
          wrongValue,
          allowedValues.filter((allowedValue) => typeof allowedValue === "string"),
        )
      : "";
  const allowedList = allowedValues.length === 0 ? "" : `: ${allowedValues.join(", ")}`;
  const assumedDialect = document.named ? "" : ", the dialect of a schema without $schema";
  throw faultIn(
    document,
    path,
    `${showValue(wrongValue)} ${error.message}${allowedList}`,
    `${nearestHint}see ${dialect.uri}${assumedDialect}`,
  );
}

/** JSON Pointers of the values, at or below the place, that the dialect does not allow there. */
export function misshapenSchema({ dialect, schema }: Pick<SchemaDocument, "dialect" | "schema">, at: string): string[] {
  const validate = thoroughValidators.get(dialect.name) ?? compileValidator(dialect, true);
  thoroughValidators.set(dialect.name, validate);
  if (validate(valueAt(at, schema))) return [];
  return (validate.errors ?? []).map(({ instancePath }) => `${at}${instancePath}`);
}

/** The deepest error, which is the most specific: errors above it only summarize. */
function deepestOf(errors: readonly ErrorObject[]): ErrorObject {
  const depthOf = ({ instancePath }: ErrorObject) => instancePath.split("/").length;
  return [...errors].sort((a, b) => depthOf(b) - depthOf(a))[0] as ErrorObject;
}

function showValue(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** Compiles the validator of a meta-schema. Ajv is loaded by `require`: synchronously, and only if it is needed. */
function compileValidator(dialect: Dialect, allErrors = false): ValidateFunction {
  // Optimizing the code of a meta-schema takes longer than it saves.
  const code = { optimize: false };
  const options: Options = { strict: false, validateFormats: false, logger: false, allErrors, code };
  const ajv = new (classFor(dialect))(options);
  compareItemsAsTexts(ajv);
  if (dialect.name === "draft-06") {
    ajv.addMetaSchema(require("ajv/dist/refs/json-schema-draft-06.json") as AnySchemaObject);
  }
  if (dialect.name === "draft-04") {
    ajv.addMetaSchema(JSON.parse(readFileSync(join(home, "schemas", "draft-04.json"), "utf8")) as AnySchemaObject);
  }
  return ajv.getSchema(dialect.uri) as ValidateFunction;
}

function classFor({ name }: Dialect): typeof Ajv {
  if (name === "2020-12") {
    const { Ajv2020 } = require("ajv/dist/2020.js") as typeof import("ajv/dist/2020.js");
    return Ajv2020 as unknown as typeof Ajv;
  }
  if (name === "2019-09") {
    const { Ajv2019 } = require("ajv/dist/2019.js") as typeof import("ajv/dist/2019.js");
    return Ajv2019 as unknown as typeof Ajv;
  }
  return (require("ajv") as typeof import("ajv")).Ajv;
}
