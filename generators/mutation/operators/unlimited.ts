import type { Node } from "../../model/model.ts";
import { stricter } from "../extra.ts";
import { isFirst } from "../first.ts";
import type { Operator } from "../mutant.ts";

/** A usual number of items: an unwritten limit is not lower. */
const usual = 9;

/** A limit of items that the schema does not state. */
export const unlimited: Operator = {
  name: "unstated-limit",
  *mutate(node, model, raw) {
    if (!isFirst(model, node, isUnlimited)) return;
    const keyword = node.keywords.find(({ kind }) => kind === "items");
    if (keyword !== undefined)
      yield {
        effect: "stronger",
        fine: true,
        single: true,
        site: keyword.site,
        keyword: "items",
        says: `more than ${usual} items are refused`,
        ...stricter(node, raw, { maxItems: usual }),
      };
  },
};

function isUnlimited({ keywords }: Node): boolean {
  const has = (kind: string) => keywords.some((each) => each.kind === kind);
  return has("items") && !["maxItems", "uniqueItems", "enum", "const", "prefixItems"].some(has);
}
