import { createRequire } from "node:module";
import type { Ajv, ErrorObject, Options } from "ajv";
import {
  isObject,
  type JsonObject,
  type Protocol,
  pointer,
  type Reason,
  ruleAt,
  type SchemaJudge,
} from "../../../schemas/index.ts";
import { type Locations, locateSchemas, rewriteSchema } from "./locations.ts";
import type { Variant } from "./variants/variant.ts";

/** The maximum number of reasons in an answer. More would only make it large. */
const reasonLimit = 100;

/** The schemas of a protocol in Ajv, compiled when first needed. */
export interface CompiledSchemas {
  /** The instance of Ajv for the dialect of the schema with this `$id`. */
  ajvOf(id: string): Ajv;
  locations: Locations;
  /** Converts an error to a reason. */
  reasonOf(error: ErrorObject): Reason;
}

/** Correct validators by their schemas, shared by the parties of scenarios and by most variants. */
const compiledByKey = new Map<string, Promise<CompiledSchemas>>();
const maxCached = 8;
/** The key of each protocol, kept because it is slow to compute. */
const cacheKeys = new WeakMap<Protocol, string>();

/** The compiled schemas as the variant reads them; read correctly if there is no variant. */
export function compiledFor(protocol: Protocol, variant?: Variant): Promise<CompiledSchemas> {
  if (variant?.options !== undefined || variant?.rewrite !== undefined) return compileSchemas(protocol, variant);
  const { schemas, rules, foreign = false } = protocol;
  const key = cacheKeys.get(protocol) ?? JSON.stringify([schemas, rules, foreign]);
  cacheKeys.set(protocol, key);
  const compiled = compiledByKey.get(key) ?? compileSchemas(protocol);
  if (compiledByKey.size >= maxCached) compiledByKey.clear();
  compiledByKey.set(key, compiled);
  return compiled;
}

async function compileSchemas(protocol: Protocol, variant?: Variant): Promise<CompiledSchemas> {
  const formats = await import("ajv-formats");
  const options: Options = {
    strict: protocol.foreign !== true,
    strictTypes: false,
    strictRequired: false,
    strictTuples: false,
    ownProperties: true,
    allErrors: true,
    validateFormats: true,
    // Errors then carry their schema object, which gives the absolute location.
    verbose: true,
    logger: false,
    // Built-in schemas are known to be valid, and optimizing the code does not pay off for a few messages.
    validateSchema: protocol.foreign === true,
    inlineRefs: false,
    code: { optimize: false },
    ...variant?.options,
  };
  const rewrite = variant?.rewrite ?? ((schema: JsonObject) => schema);
  const unifiedSchemas = await inOneDialect(await resolveDynamicReferences(protocol));
  const schemas = unifiedSchemas.map((schema) => rewriteSchema(schema, rewrite) as JsonObject);
  const locations = locateSchemas(schemas);
  const dialects = new Map<string, Ajv>();
  // Corrections of Ajv are loaded only when needed, because servers must start quickly.
  const schemasText = JSON.stringify(schemas);
  const loadCorrections = async (keyword: string) =>
    schemasText.includes(`"${keyword}"`) ? await import("../../../generators/index.ts") : undefined;
  const inDecimal = (await loadCorrections("multipleOf"))?.inDecimal;
  const correctEvaluated = (await loadCorrections("unevaluatedProperties"))?.correctEvaluated;
  for (const dialect of new Set(schemas.map(dialectIn))) {
    const ajv = await makeValidator(dialect, options);
    inDecimal?.(ajv);
    if (ajv.getKeyword("unevaluatedProperties") !== false) correctEvaluated?.(ajv);
    formats.default.default(ajv, { mode: "full" });
    ajv.addSchema(schemas);
    dialects.set(dialect, ajv);
  }

  const dialectOf = new Map(schemas.map((schema) => [schema.$id, dialectIn(schema)]));
  return {
    ajvOf(id) {
      // An embedded schema is read in the dialect of the schema around it.
      const ajv =
        dialects.get(dialectOf.get(id) ?? "") ?? (dialects.size === 1 ? [...dialects.values()][0] : undefined);
      if (ajv === undefined) throw new Error(`no schema ${id}`);
      return ajv;
    },
    locations,
    reasonOf: (error) => reasonOf(error, locations, protocol),
  };
}

/** Resolves dynamic references that Ajv would not follow. */
async function resolveDynamicReferences({ schemas, profile }: Protocol): Promise<readonly JsonObject[]> {
  if (!JSON.stringify(schemas).includes('"$dynamicRef"')) return schemas;
  const { compileModel, followTargets } = await import("../../../generators/index.ts");
  const roots = [...new Set(profile.documents.map(({ schema }) => schema))];
  return followTargets(schemas, await Promise.all(roots.map((root) => compileModel(schemas, root))));
}

/** Converts all schemas to one dialect if they have several, because Ajv reads them in one. */
async function inOneDialect(schemas: readonly JsonObject[]): Promise<readonly JsonObject[]> {
  if (new Set(schemas.map(dialectIn)).size < 2) return schemas;
  return (await import("../../../generators/index.ts")).inOneDialect(schemas);
}

/** Judges instances of a protocol's documents as the variant does, or correctly without a variant. */
export async function judgeFor(protocol: Protocol, variant?: Variant): Promise<SchemaJudge> {
  const { ajvOf, locations, reasonOf } = await compiledFor(protocol, variant);
  const judge: SchemaJudge = (document, value) => {
    const validate = ajvOf(document.schema).getSchema(document.schema);
    if (validate === undefined) throw new Error(`no schema ${document.schema}`);
    try {
      if (validate(value)) return [];
    } catch (error) {
      // A recursive schema follows the instance down, which may exhaust the stack.
      if (error instanceof RangeError) return [{ at: "", message: "is nested too deeply" }];
      throw error;
    }
    const reasons = (validate.errors ?? []).map(reasonOf);
    return reasons.sort((a, b) => rankOf(a) - rankOf(b)).slice(0, reasonLimit);
  };
  return variant?.wrapJudge?.(judge, locations) ?? judge;
}

/** The dialect of a schema. Dialects that validators treat alike have the same name. */
function dialectIn({ $schema }: JsonObject): string {
  return /draft-0[67]|2019-09/.exec(String($schema))?.[0] ?? "2020-12";
}

async function makeValidator(dialect: string, options: Options): Promise<Ajv> {
  if (dialect === "2019-09") return new (await import("ajv/dist/2019.js")).Ajv2019(options);
  if (dialect === "2020-12") return new (await import("ajv/dist/2020.js")).Ajv2020(options);
  const ajv = new (await import("ajv")).Ajv(options);
  if (dialect === "draft-06")
    ajv.addMetaSchema(createRequire(import.meta.url)("ajv/dist/refs/json-schema-draft-06.json"));
  return ajv;
}

/** Ranks errors: unambiguous ones first, then keywords that only summarize, then errors of one branch among several. */
function rankOf({ keyword = "", site = "" }: Reason): number {
  if (/\/(anyOf|oneOf)\/\d/.test(site)) return 2;
  return ["anyOf", "oneOf", "if"].includes(keyword) ? 1 : 0;
}

function reasonOf(error: ErrorObject, locations: Locations, protocol: Protocol): Reason {
  const { instancePath: at, keyword } = error;
  const reason: Reason = { at, keyword, message: messageOf(error) };
  // A subschema `false` is not an object and has no location.
  const parent = locations.locationsBySchema.get(error.parentSchema);
  if (parent === undefined) return reason;
  const site = `${parent}${siteOf(error)}`;
  const rule = ruleAt(protocol.rules, site)?.id;
  return { ...reason, site, ...(rule === undefined ? {} : { rule }) };
}

/** The location of the assertion within its schema: a single entry of `required`, or the branch of `if` that applied. */
function siteOf({ keyword, params, parentSchema }: ErrorObject): string {
  if (keyword === "required") return `/required/${indexOfName(parentSchema?.required, params.missingProperty)}`;
  if (keyword === "dependentRequired") {
    const path = pointer.append("/dependentRequired", params.property);
    return `${path}/${indexOfName(parentSchema?.dependentRequired[params.property], params.missingProperty)}`;
  }
  if (keyword === "if") return `/${params.failingKeyword}`;
  return pointer.append("", keyword);
}

function indexOfName(names: unknown, name: string): number {
  return Array.isArray(names) ? names.indexOf(name) : 0;
}

function messageOf({ message = "is not valid", params }: ErrorObject): string {
  const memberName = params.additionalProperty ?? params.unevaluatedProperty ?? params.propertyName;
  if (memberName !== undefined) return `${message}: ${JSON.stringify(memberName)}`;
  const allowed = "allowedValues" in params ? params.allowedValues : params.allowedValue;
  if (allowed === undefined || isObject(allowed)) return message;
  return `${message}: ${JSON.stringify(allowed)}`;
}
