import { isObject, type Json } from "../../../schemas/index.ts";
import { holdsAt } from "../../evaluate/evaluate.ts";
import type { Keyword } from "../../model/model.ts";
import { withKeyword } from "../keyword-change.ts";
import type { Operator } from "../mutant.ts";
import { addAlternative } from "../schema-edits.ts";

/** A list with only its first item checked, or with null accepted as an item. */
export const items: Operator = {
  name: "first-item",
  *mutate(node, model, raw, { dialect }) {
    // Older drafts use other keywords for this.
    if (dialect !== "" && !dialect.includes("2020-12")) return;
    const keyword = node.keywords.find((each) => each.kind === "items");
    if (keyword?.kind !== "items" || !isObject(raw.items)) return;
    const item = model.nodes.get(keyword.node);
    if (item?.location === `${node.location}/items` && !holdsAt(model, item.location, null)) {
      const changed = addAlternative(item, raw.items, { enum: [null] }, model);
      const says = "null is accepted in place of an item";
      if (changed !== undefined)
        yield { effect: "weaker", fine: true, site: keyword.site, keyword: "items", says, ...changed };
    }
    const site = `${node.location}/prefixItems`;
    const first = node.keywords.find((each) => each.kind === "prefixItems");
    const before = first?.kind === "prefixItems" ? first : { kind: "prefixItems" as const, site, nodes: [] };
    const more: Keyword = { ...before, nodes: [...before.nodes, keyword.node] };
    const listed = Array.isArray(raw.prefixItems) ? raw.prefixItems : [];
    yield {
      effect: "weaker",
      site: keyword.site,
      keyword: "items",
      says:
        more.nodes.length === 1
          ? "only the first item is checked"
          : `only the first ${more.nodes.length} items are checked`,
      edits: [{ at: keyword.site }, { at: site, value: [...listed, raw.items] as Json[] }],
      nodes: [
        first === undefined ? withKeyword(node, keyword, more) : withKeyword(withKeyword(node, keyword), first, more),
      ],
    };
  },
};
