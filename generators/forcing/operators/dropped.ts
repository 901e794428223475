import { withKeyword } from "../change.ts";
import type { Operator } from "../mutant.ts";

/** Keywords of older drafts that the model reads as others. */
const older = ["dependencies", "additionalItems"];

/** A keyword left out, with what it drags along. */
export const dropped: Operator = {
  name: "keyword-dropped",
  *mutate(node) {
    for (const keyword of node.keywords) {
      // `properties` and `patternProperties` define what is additional, so dropping them is no single mistake; members are emptied instead.
      if (["properties", "patternProperties", "if", "ref", "dynamicRef", "allOf", "contains"].includes(keyword.kind))
        continue;
      if (older.some((name) => keyword.site === `${node.location}/${name}`)) continue;
      yield {
        effect: "weaker",
        site: keyword.site,
        keyword: keyword.kind,
        says: `${keyword.kind} is not checked`,
        edits: [{ at: keyword.site }],
        nodes: [withKeyword(node, keyword)],
      };
    }
  },
};
