import { createRequire } from "node:module";
import {
  _,
  Ajv,
  type AnySchemaObject,
  type CodeKeywordDefinition,
  type ErrorObject,
  type FuncKeywordDefinition,
  type Options,
  str,
  type ValidateFunction,
} from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import formatsPlugin, { type FormatName } from "ajv-formats";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { compareItemsAsTexts, type Json, type JsonObject, pointer } from "../../schemas/index.ts";
import { identifier } from "../compile/compile.ts";
import { isAsserted } from "../formats/check.ts";
import { isDecimalMultiple } from "../keywords/multiple-of.ts";
import { guardPattern } from "../regex/guard.ts";
import { correctEvaluated } from "./evaluated.ts";
import { mentions } from "./mentions.ts";
import { inOneDialect } from "./one-dialect.ts";
import { uriResolver } from "./opaque.ts";
import { withProtoMembers } from "./proto-members.ts";

const addFormats = formatsPlugin.default;

/** The formats of the standard. Others, such as `url`, exist only in ajv-formats, so a schema cannot rely on them. */
const standardFormats = (Object.keys(fullFormats) as FormatName[]).filter(isAsserted);

const require = createRequire(import.meta.url);
const draft06 = require("ajv/dist/refs/json-schema-draft-06.json") as AnySchemaObject;
const draft07 = require("ajv/dist/refs/json-schema-draft-07.json") as AnySchemaObject;

/** Strict, except for rules that the published schemas cannot satisfy. Only own members count, so `toString` is not a member. */
export const options: Options = {
  strict: true,
  strictTypes: false,
  strictRequired: false,
  strictTuples: false,
  ownProperties: true,
  validateFormats: true,
  uriResolver,
};

/**
 * How Ajv compiles. `strict` is for our published schemas. `lenient` is for foreign schemas, with unknown keywords and formats. `quick`
 * is for the many variants of a sound schema, which is not checked again. `annotating` is lenient with the dialect's own default, in
 * which a format is an annotation.
 */
export type Strictness = "strict" | "lenient" | "quick" | "annotating";

/** Compiles a pattern that throws for a string on which matching may never end. */
const regExp = Object.assign((source: string, flags: string) => guardPattern(new RegExp(source, flags), "throw"), {
  code: "guarded",
});

/** Optimizing the code is two thirds of the time to compile a large schema, and saves little when it runs. */
const code: Options["code"] = { optimize: false, regExp };

/** The options of Ajv for each strictness. */
const settings: Record<Strictness, Options> = {
  // A member `__proto__` is declared by a pattern, beside `properties`.
  strict: { ...options, allowMatchingProperties: true, code: { optimize: false } },
  // Code that collects all errors is flat; code that stops at the first error has one level of nesting for each member.
  lenient: { ...options, strict: false, logger: false, allErrors: true, code },
  annotating: { ...options, strict: false, logger: false, allErrors: true, validateFormats: false, code },
  quick: {
    ...options,
    strict: false,
    logger: false,
    meta: false,
    validateSchema: false,
    inlineRefs: false,
    code,
  },
};

/** How Ajv computes multiples: with the decimal numbers of JSON, or with binary fractions, which is its default. */
export type Multiples = "decimal" | "binary";

const decimalMultiples: FuncKeywordDefinition = {
  keyword: "multipleOf",
  type: "number",
  schemaType: "number",
  validate: (step: number, value: number) => isDecimalMultiple(value, step),
  // The same message as Ajv's own.
  errors: false,
  error: {
    message: ({ schemaCode }) => str`must be multiple of ${schemaCode}`,
    params: ({ schemaCode }) => _`{multipleOf: ${schemaCode}}`,
  },
};

/** Makes Ajv compute multiples in decimal. By default it wrongly says that 19.99 is not a multiple of 0.01. */
export function inDecimal(ajv: Ajv): void {
  ajv.removeKeyword("multipleOf").addKeyword(decimalMultiples);
}

/** Makes Ajv compile an empty `enum`, which refuses every value. By default Ajv throws. */
function acceptEmptyEnums(ajv: Ajv): void {
  const definition = ajv.getKeyword("enum") as CodeKeywordDefinition;
  ajv.removeKeyword("enum").addKeyword({
    ...definition,
    code(context, rule) {
      if (Array.isArray(context.schema) && context.schema.length === 0) context.fail();
      else definition.code(context, rule);
    },
  });
}

/** Compiles a schema with Ajv, formats asserted. */
export function compileAjv(
  schemas: readonly JsonObject[],
  id: string,
  strictness: Strictness = "strict",
  multiples: Multiples = "decimal",
): (instance: Json) => boolean {
  const validate = compileValidator(schemas, id, strictness, multiples);
  return (instance) => validate(instance) === true;
}

/** Returns a function that lists the locations of the faults that Ajv finds in an instance, as JSON Pointers. Formats are asserted. An unevaluated part is listed as well as the value around it. */
export function wrongPlacesByAjv(schemas: readonly JsonObject[], id: string): (instance: Json) => string[] {
  let validate: ReturnType<typeof compileValidator> | undefined;
  return (instance) => {
    validate ??= compileValidator(schemas, id, "lenient", "decimal");
    try {
      return validate(instance) === true
        ? []
        : (validate.errors ?? []).flatMap((error) => [error.instancePath, ...unevaluatedBy(error, instance)]);
    } catch {
      // Ajv fails on members named `toString`, and on a pattern that may never finish.
      return [];
    }
  };
}

/** Lists the unevaluated member or items in an error of `unevaluated*`. */
function unevaluatedBy({ keyword, instancePath, params }: ErrorObject, instance: Json): string[] {
  if (keyword === "unevaluatedProperties") return [pointer.append(instancePath, params.unevaluatedProperty)];
  const items = keyword === "unevaluatedItems" ? pointer.at(instancePath, instance) : undefined;
  return Array.isArray(items) ? items.map((_, index) => `${instancePath}/${index}`).slice(params.limit) : [];
}

function compileValidator(
  schemas: readonly JsonObject[],
  id: string,
  strictness: Strictness,
  multiples: Multiples,
): ValidateFunction {
  // Without `multipleOf` both kinds of arithmetic agree, so one compilation is enough. Large schemas need seconds to compile.
  const arithmetic = mentions(schemas, "multipleOf") ? multiples : "binary";
  const cached = instances.get(schemas)?.get(`${strictness} ${arithmetic}`);
  const ajv = cached ?? createAjv(schemas, id, strictness, arithmetic);
  const validate = ajv.getSchema(id) as ValidateFunction | undefined;
  if (validate === undefined) throw new Error(`Ajv has no schema ${id}`);
  // Documents share the targets of their references, so instances are cached, except those of the numerous variants.
  if (cached === undefined && strictness !== "quick" && isOfOneDialect(schemas)) {
    const cache = instances.get(schemas) ?? new Map<string, Instance>();
    instances.set(schemas, cache.set(`${strictness} ${arithmetic}`, ajv));
  }
  return validate;
}

/** Creates a new instance with the dialect's defaults that allows unknown keywords. Keywords can be added to it before it compiles. */
export function lenientAjv(schemas: readonly JsonObject[], id: string): Instance {
  return createAjv(schemas, id, "annotating", "decimal");
}

type Instance = Ajv | Ajv2019 | Ajv2020;
const instances = new WeakMap<readonly JsonObject[], Map<string, Instance>>();

function isOfOneDialect(schemas: readonly JsonObject[]): boolean {
  return new Set(schemas.map(({ $schema }) => $schema)).size === 1;
}

function createAjv(
  originals: readonly JsonObject[],
  id: string,
  strictness: Strictness,
  multiples: Multiples,
): Instance {
  const schemas = withProtoMembers(inOneDialect(originals));
  const dialect = String(schemas.find((schema) => identifier(schema) === id)?.$schema ?? "");
  const AjvClass = classFor(dialect);
  const ajv = createInstance(AjvClass, strictness);
  if (multiples === "decimal") inDecimal(ajv);
  acceptEmptyEnums(ajv);
  if (AjvClass !== Ajv && mentions(schemas, "unevaluatedProperties")) correctEvaluated(ajv);
  for (const schema of schemas) {
    ajv.addSchema(schema, undefined, false, false);
    if (ajv.opts.validateSchema !== false) checkSchema(schema, ajv, AjvClass, strictness);
  }
  return ajv;
}

function classFor(dialect: string): AjvClass {
  if (/draft-0[67]/.test(dialect)) return Ajv;
  return dialect.includes("2019-09") ? Ajv2019 : Ajv2020;
}

type AjvClass = typeof Ajv | typeof Ajv2019 | typeof Ajv2020;

function createInstance(AjvClass: AjvClass, strictness: Strictness): Instance {
  const ajv = new AjvClass(settings[strictness]);
  // Schemas of any draft may refer to these meta-schemas. They are known to be valid, and checking them is slower than everything else.
  ajv.addMetaSchema(draft06, undefined, false);
  if (AjvClass !== Ajv) ajv.addMetaSchema(draft07, undefined, false);
  if (strictness !== "annotating") addFormats(ajv, standardFormats);
  return ajv;
}

/** Instances with compiled meta-schemas, which are far slower to compile than most schemas. */
const checkers = new Map<AjvClass, Map<Strictness, Instance>>();

/** Throws if the meta-schema refuses a schema. Only the schema's own instance knows a meta-schema that is not a standard one. */
function checkSchema(schema: JsonObject, ownInstance: Instance, AjvClass: AjvClass, strictness: Strictness): void {
  const dialectCheckers = checkers.get(AjvClass) ?? new Map<Strictness, Instance>();
  checkers.set(AjvClass, dialectCheckers);
  const checker = dialectCheckers.get(strictness) ?? createChecker(AjvClass, strictness);
  dialectCheckers.set(strictness, checker);
  const { $schema } = schema;
  const isStandard = typeof $schema !== "string" || checker.getSchema($schema) !== undefined;
  (isStandard ? checker : ownInstance).validateSchema(schema, true);
}

function createChecker(AjvClass: AjvClass, strictness: Strictness): Instance {
  const checker = createInstance(AjvClass, strictness);
  compareItemsAsTexts(checker as Ajv);
  return checker;
}
