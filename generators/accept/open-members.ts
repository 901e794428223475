import { requireMembers } from "../formulas/facets.ts";
import type { Formula } from "../formulas/formula.ts";
import { kinds } from "../formulas/kinds.ts";
import type { Keyword } from "../model/model.ts";
import type { Acceptance } from "./acceptance.ts";

/** Undeclared members, if the schema leaves the object open. */
export const openMembersAcceptance: Acceptance = {
  name: "open",
  keywords: ["properties", "patternProperties", "type"],
  *demand(keyword, _model, { keywords }) {
    const has = (kind: Keyword["kind"]) => keywords.some((sibling) => sibling.kind === kind);
    const isOpen =
      keyword.kind === "properties" ||
      (keyword.kind === "type" && keyword.types.includes("object") && !has("properties"));
    if (isOpen && !has("additionalProperties") && !has("unevaluatedProperties")) {
      for (const name of ["unknown_member", "constructor", "__proto__"]) {
        const constraint: Formula = { op: "and", of: [{ op: "kinds", kinds: kinds.object }, requireMembers([name])] };
        yield {
          name: "unknown-member",
          ...(name === "unknown_member" ? {} : { detail: name }),
          constraint,
          says: `has a member ${JSON.stringify(name)}, which is ignored`,
        };
      }
    }
  },
};
