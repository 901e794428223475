import type { JsonObject } from "../../../schemas/index.ts";
import type { Location } from "../../model/model.ts";
import { withKeyword } from "../keyword-change.ts";
import type { Edit, Operator } from "../mutant.ts";

/** Keywords of older drafts that the model reads as other keywords. */
const olderKeywords = ["dependencies", "additionalItems"];

/**
 * Keywords with mutants of other operators. Without `properties` or `patternProperties`, their members would become additional ones, which is not a single
 * mistake.
 */
const excludedKeywords = ["properties", "patternProperties", "if", "ref", "dynamicRef", "allOf", "contains"];

/** Mutants in which a keyword is removed, together with the keywords that depend on it. */
export const droppedKeywordOperator: Operator = {
  name: "keyword-dropped",
  *mutate(node, _model, raw) {
    for (const keyword of node.keywords) {
      if (excludedKeywords.includes(keyword.kind)) continue;
      if (olderKeywords.some((name) => keyword.site === `${node.location}/${name}`)) continue;
      yield {
        effect: "weaker",
        site: keyword.site,
        keyword: keyword.kind,
        says: `${keyword.kind} is not checked`,
        edits: [keyword.kind === "prefixItems" ? emptySchema(keyword.site, raw) : { at: keyword.site }],
        nodes: [withKeyword(node, keyword)],
      };
    }
  },
};

/** The positions of a prefix stay, because `items` concerns the items after them. */
function emptySchema(at: Location, raw: JsonObject): Edit {
  const prefix = raw[at.slice(at.lastIndexOf("/") + 1)];
  return Array.isArray(prefix) ? { at, value: prefix.map(() => ({})) } : { at };
}
