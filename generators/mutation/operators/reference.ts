import { withKeyword } from "../change.ts";
import type { Operator } from "../mutant.ts";

/** A reference that is not followed. */
export const reference: Operator = {
  name: "reference-dropped",
  *mutate(node) {
    for (const keyword of node.keywords) {
      if (keyword.kind !== "ref" && keyword.kind !== "dynamicRef") continue;
      yield {
        effect: "weaker",
        site: keyword.site,
        keyword: "$ref",
        says: "the reference is not followed",
        edits: [{ at: keyword.site }],
        nodes: [withKeyword(node, keyword)],
      };
    }
  },
};
