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
      const otherTexts = [...(listedTexts(schemas).get(name) ?? [])].filter((text) => !values.includes(text));
      if (otherTexts.length === 0 || !values.every((value) => typeof value === "string")) continue;
      yield {
        effect: "weaker",
        isFineGrained: true,
        site: keyword.site,
        keyword: keyword.kind,
        says: `every value that ${name} has elsewhere is allowed too`,
        ...withList(node, keyword, [...values, ...otherTexts]),
      };
    }
  },
};

const cachedTexts = new WeakMap<readonly JsonObject[], ReadonlyMap<string, ReadonlySet<string>>>();

/** Collects the strings that all schemas together allow for members of each name. */
function listedTexts(schemas: readonly JsonObject[]): ReadonlyMap<string, ReadonlySet<string>> {
  const cached = cachedTexts.get(schemas);
  if (cached !== undefined) return cached;
  const textsByName = new Map<string, Set<string>>();
  for (const schema of schemas) collectTexts(schema, textsByName);
  cachedTexts.set(schemas, textsByName);
  return textsByName;
}

function collectTexts(schema: Json, textsByName: Map<string, Set<string>>): void {
  if (typeof schema !== "object" || schema === null) return;
  if (isObject(schema) && isObject(schema.properties))
    for (const [name, member] of Object.entries(schema.properties)) {
      const memberValues = isObject(member) ? [...(Array.isArray(member.enum) ? member.enum : []), member.const] : [];
      const texts = memberValues.filter((text): text is string => typeof text === "string");
      if (texts.length > 0) textsByName.set(name, new Set([...(textsByName.get(name) ?? []), ...texts]));
    }
  for (const part of Object.values(schema)) collectTexts(part as Json, textsByName);
}

/** Returns the name of the member that a schema describes, if the schema is in the member's entry. */
function memberAt(location: string): string | undefined {
  const segments = pointer.segments(location.slice(location.indexOf("#") + 1));
  return segments.at(-2) === "properties" ? segments.at(-1) : undefined;
}
