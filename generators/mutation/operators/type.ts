import { ownMember } from "../../../schemas/index.ts";
import { withKeyword } from "../keyword-change.ts";
import type { Operator } from "../mutant.ts";

/** The type with which lax readers confuse a type. */
const confusable: Record<string, string> = {
  string: "number",
  number: "string",
  integer: "string",
  boolean: "string",
  null: "string",
  array: "object",
  object: "array",
};

/** Mutants of `type`: one type too many (null, fractions in place of integers, or the most easily confused type) or one too few. */
export const typeOperator: Operator = {
  name: "type",
  *mutate(node) {
    for (const keyword of node.keywords) {
      if (keyword.kind !== "type") continue;
      const withTypes = (types: string[]) => ({
        edits: [{ at: keyword.site, value: types }],
        nodes: [withKeyword(node, keyword, { ...keyword, types })],
      });
      const base = { site: keyword.site, keyword: "type" } as const;
      const { types } = keyword;
      if (types.includes("integer"))
        yield {
          ...base,
          effect: "weaker",
          says: "fractions are allowed",
          ...withTypes(types.map((typeName) => (typeName === "integer" ? "number" : typeName))),
        };
      if (types.includes("number"))
        yield {
          ...base,
          effect: "stronger",
          isFineGrained: true,
          needsOneKill: true,
          says: "fractions are refused",
          ...withTypes(types.map((typeName) => (typeName === "number" ? "integer" : typeName))),
        };
      const confusedTypes = ["null", ...types.map((typeName) => ownMember(confusable, typeName) ?? "null")];
      for (const extraType of new Set(confusedTypes)) {
        if (types.includes(extraType) || (extraType === "number" && types.includes("integer"))) continue;
        yield {
          ...base,
          effect: "weaker",
          says: `the type ${extraType} is allowed too`,
          ...withTypes([...types, extraType]),
        };
      }
      if (types.length > 1)
        for (const removedType of types)
          yield {
            ...base,
            effect: "stronger",
            says: `the type ${removedType} is refused`,
            ...withTypes(types.filter((typeName) => typeName !== removedType)),
          };
    }
  },
};
