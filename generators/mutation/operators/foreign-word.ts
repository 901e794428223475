import { isObject, type Json, type JsonObject, pointer } from "../../../schemas/index.ts";
import type { Operator } from "../mutant.ts";
import { valuesOf, withList } from "./enum.ts";

/** A list or a constant that also accepts the values of members with the same name elsewhere. The code has a single type for all of them. */
export const foreignWordOperator: Operator = {
  name: "foreign-word",
  *mutate(node, _model, _raw, { schemas }) {
    const name = memberAt(node.location);
    if (name === undefined) return;
    for (const keyword of node.keywords) {
      if (keyword.kind !== "enum" && keyword.kind !== "const") continue;
      const values = valuesOf(keyword);
      const others = [...(wordsOf(schemas).get(name) ?? [])].filter((word) => !values.includes(word));
      if (others.length === 0 || !values.every((value) => typeof value === "string")) continue;
      yield {
        effect: "weaker",
        fine: true,
        site: keyword.site,
        keyword: keyword.kind,
        says: `every value that ${name} has elsewhere is allowed too`,
        ...withList(node, keyword, [...values, ...others]),
      };
    }
  },
};

const wordsOfSchemas = new WeakMap<readonly JsonObject[], ReadonlyMap<string, ReadonlySet<string>>>();

/** The words that members of each name may have, in all schemas. */
function wordsOf(schemas: readonly JsonObject[]): ReadonlyMap<string, ReadonlySet<string>> {
  const cached = wordsOfSchemas.get(schemas);
  if (cached !== undefined) return cached;
  const found = new Map<string, Set<string>>();
  for (const schema of schemas) collectWords(schema, found);
  wordsOfSchemas.set(schemas, found);
  return found;
}

function collectWords(schema: Json, found: Map<string, Set<string>>): void {
  if (typeof schema !== "object" || schema === null) return;
  if (isObject(schema) && isObject(schema.properties))
    for (const [name, member] of Object.entries(schema.properties)) {
      const listed = isObject(member) ? [...(Array.isArray(member.enum) ? member.enum : []), member.const] : [];
      const words = listed.filter((word): word is string => typeof word === "string");
      if (words.length > 0) found.set(name, new Set([...(found.get(name) ?? []), ...words]));
    }
  for (const part of Object.values(schema)) collectWords(part as Json, found);
}

/** The name of the member that a schema describes, if the schema is in the member's entry. */
function memberAt(location: string): string | undefined {
  const segments = pointer.segments(location.slice(location.indexOf("#") + 1));
  return segments.at(-2) === "properties" ? segments.at(-1) : undefined;
}
