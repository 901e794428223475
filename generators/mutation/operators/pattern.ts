import { patternEdits } from "../../regex/edits.ts";
import { guardPattern } from "../../regex/guard.ts";
import { withKeyword } from "../keyword-change.ts";
import type { Operator } from "../mutant.ts";

/** A pattern without an anchor, with a wider or narrower class or repetition at some place, or in another case. */
export const pattern: Operator = {
  name: "pattern",
  *mutate(node) {
    for (const keyword of node.keywords) {
      if (keyword.kind !== "pattern") continue;
      for (const { source, says, effect, fine, single } of patternEdits(keyword.source)) {
        yield {
          effect,
          ...(fine === true ? { fine } : {}),
          ...(single === true ? { single } : {}),
          site: keyword.site,
          keyword: "pattern",
          says,
          edits: [{ at: keyword.site, value: source }],
          nodes: [
            withKeyword(node, keyword, { ...keyword, source, regexp: guardPattern(new RegExp(source, "u"), "refuse") }),
          ],
        };
      }
    }
  },
};
