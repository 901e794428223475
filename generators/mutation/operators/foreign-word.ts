import { isObject, type Json, type JsonObject, pointer } from "../../../schemas/index.ts";
import type { Operator } from "../mutant.ts";
import { valuesOf, withList } from "./enum.ts";

/** Mutants of `enum` and `const` that also accept the values of members with the same name elsewhere, as an implementation with one type for all of them would. */
export const foreignWordOperator: Operator = {
  name: "foreign-word",
  *mutate(node, _model, _raw, { schemas }) {
    const name = memberAt(node.location);
    if (name === undefined) return;
    for (const keyword of node.keywords) {
      if (keyword.kind !== "enum" && keyword.kind !== "const") continue;
      const values = valuesOf(keyword);
      const otherWords = [...(wordsOf(schemas).get(name) ?? [])].filter((word) => !values.includes(word));
      if (otherWords.length === 0 || !values.every((value) => typeof value === "string")) continue;
      yield {
        effect: "weaker",
        isFineGrained: true,
        site: keyword.site,
        keyword: keyword.kind,
        says: `every value that ${name} has elsewhere is allowed too`,
        ...withList(node, keyword, [...values, ...otherWords]),
      };
    }
  },
};

const knownWords = new WeakMap<readonly JsonObject[], ReadonlyMap<string, ReadonlySet<string>>>();

/** The words that members of each name may have, in all schemas. */
function wordsOf(schemas: readonly JsonObject[]): ReadonlyMap<string, ReadonlySet<string>> {
  const cached = knownWords.get(schemas);
  if (cached !== undefined) return cached;
  const wordsByName = new Map<string, Set<string>>();
  for (const schema of schemas) collectWords(schema, wordsByName);
  knownWords.set(schemas, wordsByName);
  return wordsByName;
}

function collectWords(schema: Json, wordsByName: Map<string, Set<string>>): void {
  if (typeof schema !== "object" || schema === null) return;
  if (isObject(schema) && isObject(schema.properties))
    for (const [name, member] of Object.entries(schema.properties)) {
      const memberValues = isObject(member) ? [...(Array.isArray(member.enum) ? member.enum : []), member.const] : [];
      const words = memberValues.filter((word): word is string => typeof word === "string");
      if (words.length > 0) wordsByName.set(name, new Set([...(wordsByName.get(name) ?? []), ...words]));
    }
  for (const part of Object.values(schema)) collectWords(part as Json, wordsByName);
}

/** The name of the member that a schema describes, if the schema is in the member's entry. */
function memberAt(location: string): string | undefined {
  const segments = pointer.segments(location.slice(location.indexOf("#") + 1));
  return segments.at(-2) === "properties" ? segments.at(-1) : undefined;
}
