import { isObject, type Json } from "../../../schemas/index.ts";
import { holdsAt } from "../../evaluate/evaluate.ts";
import type { Keyword } from "../../model/model.ts";
import { withKeyword } from "../keyword-change.ts";
import type { Operator } from "../mutant.ts";
import { addAlternative } from "../schema-edits.ts";

/** Mutants of `items`: only the first item is checked, or null is accepted as an item. */
export const firstItemOperator: Operator = {
  name: "first-item",
  *mutate(node, model, raw, { dialect }) {
    // Older drafts use keywords other than `prefixItems`.
    if (dialect !== "" && !dialect.includes("2020-12")) return;
    const keyword = node.keywords.find((candidate) => candidate.kind === "items");
    if (keyword?.kind !== "items" || !isObject(raw.items)) return;
    const item = model.nodes.get(keyword.node);
    if (item?.location === `${node.location}/items` && !holdsAt(model, item.location, null)) {
      const changed = addAlternative(item, raw.items, { enum: [null] }, model);
      const says = "null is accepted in place of an item";
      if (changed !== undefined)
        yield { effect: "weaker", isFineGrained: true, site: keyword.site, keyword: "items", says, ...changed };
    }
    const site = `${node.location}/prefixItems`;
    const prefix = node.keywords.find((candidate) => candidate.kind === "prefixItems");
    const oldPrefix = prefix?.kind === "prefixItems" ? prefix : { kind: "prefixItems" as const, site, nodes: [] };
    const newPrefix: Keyword = { ...oldPrefix, nodes: [...oldPrefix.nodes, keyword.node] };
    const prefixSchemas = Array.isArray(raw.prefixItems) ? raw.prefixItems : [];
    yield {
      effect: "weaker",
      site: keyword.site,
      keyword: "items",
      says:
        newPrefix.nodes.length === 1
          ? "only the first item is checked"
          : `only the first ${newPrefix.nodes.length} items are checked`,
      edits: [{ at: keyword.site }, { at: site, value: [...prefixSchemas, raw.items] as Json[] }],
      nodes: [
        prefix === undefined
          ? withKeyword(node, keyword, newPrefix)
          : withKeyword(withKeyword(node, keyword), prefix, newPrefix),
      ],
    };
  },
};
