import { dialectOf, dialects, isObject, type JsonObject, setMember, subschemas } from "../../schemas/index.ts";
import { mentions } from "./mentions.ts";

const protoName = "__proto__";

/** Rewrites `properties` and dependencies with a member `__proto__`, which Ajv ignores there, as equivalent keywords. */
export function withProtoMembers(schemas: readonly JsonObject[]): readonly JsonObject[] {
  return mentions(schemas, protoName) ? schemas.map(rewriteSchema) : schemas;
}

function rewriteSchema(schema: JsonObject): JsonObject {
  const copy = structuredClone(schema);
  rewrite(copy, dialectOf(schema.$schema) ?? (dialects.at(-1) as (typeof dialects)[number]));
  return copy;
}

function rewrite(schema: JsonObject, dialect: (typeof dialects)[number]): void {
  for (const { schema: subschema } of subschemas(schema, dialect)) if (isObject(subschema)) rewrite(subschema, dialect);
  const { properties, patternProperties } = schema;
  if (isObject(properties) && Object.hasOwn(properties, protoName)) {
    const patterns = isObject(patternProperties) ? { ...patternProperties } : {};
    setMember(patterns, `^(?:${protoName})$`, properties[protoName] ?? true);
    schema.patternProperties = patterns;
  }
  for (const keyword of ["dependencies", "dependentRequired", "dependentSchemas"]) {
    const dependencies = schema[keyword];
    if (!isObject(dependencies) || !Object.hasOwn(dependencies, protoName)) continue;
    const dependency = dependencies[protoName] ?? true;
    const consequence = Array.isArray(dependency) ? { required: dependency } : dependency;
    const branches = Array.isArray(schema.allOf) ? schema.allOf : [];
    schema.allOf = [...branches, { anyOf: [{ not: { required: [protoName] } }, consequence] }];
  }
}
