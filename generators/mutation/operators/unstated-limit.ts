import type { Node } from "../../model/model.ts";
import { isFirstSchema } from "../first-schema.ts";
import type { Operator } from "../mutant.ts";
import { strengthen } from "../schema-edits.ts";

/** A number of items that any reasonable limit allows. */
const usualLimit = 9;

/** The mutant that limits the number of items although the schema does not. */
export const unstatedLimitOperator: Operator = {
  name: "unstated-limit",
  *mutate(node, model, raw) {
    if (!isFirstSchema(model, node, isUnlimited)) return;
    const keyword = node.keywords.find(({ kind }) => kind === "items");
    if (keyword !== undefined)
      yield {
        effect: "stronger",
        isFineGrained: true,
        needsOneKill: true,
        site: keyword.site,
        keyword: "items",
        says: `more than ${usualLimit} items are refused`,
        ...strengthen(node, raw, { maxItems: usualLimit }),
      };
  },
};

function isUnlimited({ keywords }: Node): boolean {
  const has = (kind: string) => keywords.some((keyword) => keyword.kind === kind);
  return has("items") && !["maxItems", "uniqueItems", "enum", "const", "prefixItems"].some(has);
}
