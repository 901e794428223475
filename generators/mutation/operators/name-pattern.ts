import { isObject } from "../../../schemas/index.ts";
import { patternEdits } from "../../regex/edits.ts";
import { guarded } from "../../regex/guard.ts";
import { withKeyword } from "../change.ts";
import type { Operator } from "../mutant.ts";

/** A pattern of names without an anchor, in another case, or with a wider or narrower class or repetition. */
export const namePattern: Operator = {
  name: "name-pattern",
  *mutate(node, _model, raw) {
    const keyword = node.keywords.find((each) => each.kind === "patternProperties");
    const written = raw.patternProperties;
    if (keyword?.kind !== "patternProperties" || !isObject(written)) return;
    for (const [source] of keyword.entries) {
      if (!Object.hasOwn(written, source)) continue;
      for (const { source: other, says, fine } of patternEdits(source)) {
        if (fine === true || Object.hasOwn(written, other)) continue;
        const regexp = guarded(new RegExp(other, "u"), "refuse");
        const entries = keyword.entries.map((entry): (typeof keyword.entries)[number] =>
          entry[0] === source ? [other, regexp, entry[2]] : entry,
        );
        const changed = withKeyword(node, keyword, { ...keyword, entries });
        const rest = changed.keywords.find((each) => each.kind === "additionalProperties");
        const patterns = entries.map(([each, expression]): [string, RegExp] => [each, expression]);
        yield {
          effect: "other",
          single: true,
          site: keyword.site,
          keyword: "patternProperties",
          says: `of names, ${says}`,
          edits: [
            {
              at: keyword.site,
              value: Object.fromEntries(
                Object.entries(written).map(([name, value]) => [name === source ? other : name, value]),
              ),
            },
          ],
          nodes: [rest?.kind === "additionalProperties" ? withKeyword(changed, rest, { ...rest, patterns }) : changed],
        };
      }
    }
  },
};
