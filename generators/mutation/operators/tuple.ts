import { isObject, type Json } from "../../../schemas/index.ts";
import { withKeyword } from "../keyword-change.ts";
import type { Operator } from "../mutant.ts";

/** A closed tuple that accepts further items of the last kind, as by a reader that checks only the first items one by one. */
export const tuple: Operator = {
  name: "longer-tuple",
  *mutate(node, model, raw) {
    const first = node.keywords.find((keyword) => keyword.kind === "prefixItems");
    const rest = node.keywords.find((keyword) => keyword.kind === "items" || keyword.kind === "unevaluatedItems");
    if (first?.kind !== "prefixItems" || (rest?.kind !== "items" && rest?.kind !== "unevaluatedItems")) return;
    const last = first.nodes.at(-1);
    const listed = Array.isArray(raw.prefixItems) ? raw.prefixItems : raw.items;
    const written = Array.isArray(listed) ? listed.at(-1) : undefined;
    if (last === undefined || !isObject(written) || model.nodes.get(rest.node)?.always !== false) return;
    yield {
      effect: "weaker",
      fine: true,
      soon: true,
      site: rest.site,
      keyword: rest.kind,
      says: "more items like the last one may follow",
      edits: [{ at: rest.site, value: withoutNames(written) }],
      nodes: [withKeyword(node, rest, { ...rest, node: last })],
    };
  },
};

/** A copy must not have the name of the original. */
function withoutNames({ $id: _id, $anchor: _anchor, $dynamicAnchor: _dynamic, ...rest }: Record<string, Json>): Json {
  return rest;
}
