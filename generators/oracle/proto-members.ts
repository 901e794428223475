import { dialectOf, dialects, isObject, type JsonObject, setMember, subschemas } from "../../schemas/index.ts";
import { mentions } from "./mentions.ts";

const name = "__proto__";

/** Ajv leaves a member `__proto__` out of `properties` and of dependencies. The same schemas with keywords that Ajv reads completely. Among evaluated members it loses the name all the same: there the validators differ. */
export function withProtoMembers(schemas: readonly JsonObject[]): readonly JsonObject[] {
  return mentions(schemas, name) ? schemas.map(rewriteSchema) : schemas;
}

function rewriteSchema(schema: JsonObject): JsonObject {
  const copy = structuredClone(schema);
  rewrite(copy, dialectOf(schema.$schema) ?? (dialects.at(-1) as (typeof dialects)[number]));
  return copy;
}

function rewrite(schema: JsonObject, dialect: (typeof dialects)[number]): void {
  for (const { schema: below } of subschemas(schema, dialect)) if (isObject(below)) rewrite(below, dialect);
  const { properties, patternProperties } = schema;
  if (isObject(properties) && Object.hasOwn(properties, name)) {
    const patterns = isObject(patternProperties) ? { ...patternProperties } : {};
    setMember(patterns, `^(?:${name})$`, properties[name] ?? true);
    schema.patternProperties = patterns;
  }
  for (const keyword of ["dependencies", "dependentRequired", "dependentSchemas"]) {
    const all = schema[keyword];
    if (!isObject(all) || !Object.hasOwn(all, name)) continue;
    const needed = all[name] ?? true;
    const then = Array.isArray(needed) ? { required: needed } : needed;
    const above = Array.isArray(schema.allOf) ? schema.allOf : [];
    schema.allOf = [...above, { anyOf: [{ not: { required: [name] } }, then] }];
  }
}
