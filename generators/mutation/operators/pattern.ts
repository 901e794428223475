import { patternEdits } from "../../regex/edits.ts";
import { guardPattern } from "../../regex/guard.ts";
import { withKeyword } from "../keyword-change.ts";
import type { Operator } from "../mutant.ts";

/** Mutants of a pattern: without an anchor, with a wider or narrower class or repetition, or in another case. */
export const patternOperator: Operator = {
  name: "pattern",
  *mutate(node) {
    for (const keyword of node.keywords) {
      if (keyword.kind !== "pattern") continue;
      for (const { source, says, effect, isFineGrained, needsOneKill } of patternEdits(keyword.source)) {
        yield {
          effect,
          ...(isFineGrained === true ? { isFineGrained } : {}),
          ...(needsOneKill === true ? { needsOneKill } : {}),
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
