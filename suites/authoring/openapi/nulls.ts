import { type Contradiction, type Json, type JsonObject, type PartialLift, pointer } from "../../../schemas/index.ts";
import type { SchemaMarks } from "./translate.ts";

const clause = "Schema Object, nullable";
export const aboutNulls = "whether `nullable` lets null in beside an `enum` or a choice that does not have it";

/** Removes the entries that `nullable` adds to an `enum` or an `anyOf` of a sent schema, and returns these lists as they were. */
export function withoutNulls(document: string, { nulled }: SchemaMarks, schema: JsonObject): PartialLift[] {
  // Outermost first: the earlier form of a list contains the earlier forms of all lists within it.
  return [...new Set(nulled)]
    .sort((a, b) => a.length - b.length)
    .flatMap((at) => {
      const list = pointer.at(at, schema);
      if (!Array.isArray(list)) return [];
      const to = structuredClone(list) as Json[];
      list.pop();
      return [{ at: `schema:/${document}.schema.json#${at}`, to }];
    });
}

const nullableRuleId = "SCHEMA-NULLABLE-001";

/** Creates the rule that the readings of `nullable` concern. */
export function nullableRule(lifts: readonly PartialLift[]): JsonObject {
  return {
    id: nullableRuleId,
    statement: "A value is one of its list; whether null is another one depends on the reading of `nullable`.",
    clause,
    binds: ["server"],
    sites: lifts.map(({ at }) => at.replace(/^schema:\//, "")),
  };
}

/** OpenAPI 3.0.3 says that `nullable` adds null only to `type`, but many tools also accept null in other cases. */
export function nullsContradiction(lifts: readonly PartialLift[]): Contradiction {
  return {
    about: aboutNulls,
    clause,
    rules: [nullableRuleId],
    readings: [
      { name: "enum-decides", says: "null is refused unless the list has it" },
      { name: "nullable-decides", says: "null is accepted", lifts: [...lifts] },
    ],
  };
}
