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

/** One type too many (null, fractions in place of integers, or the type that is most easily confused) or one too few. */
export const type: Operator = {
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
          ...withTypes(types.map((each) => (each === "integer" ? "number" : each))),
        };
      if (types.includes("number"))
        yield {
          ...base,
          effect: "stronger",
          isFineGrained: true,
          needsOneKill: true,
          says: "fractions are refused",
          ...withTypes(types.map((each) => (each === "number" ? "integer" : each))),
        };
      const likely = ["null", ...types.map((each) => ownMember(confusable, each) ?? "null")];
      for (const more of new Set(likely)) {
        if (types.includes(more) || (more === "number" && types.includes("integer"))) continue;
        yield { ...base, effect: "weaker", says: `the type ${more} is allowed too`, ...withTypes([...types, more]) };
      }
      if (types.length > 1)
        for (const one of types)
          yield {
            ...base,
            effect: "stronger",
            says: `the type ${one} is refused`,
            ...withTypes(types.filter((each) => each !== one)),
          };
    }
  },
};
