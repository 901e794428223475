import { isObject, type Json } from "../../../schemas/index.ts";
import { withKeyword } from "../keyword-change.ts";
import type { Operator } from "../mutant.ts";

/** The mutant of a closed tuple that accepts further items like the last one, as a reader that stops counting there would. */
export const tupleOperator: Operator = {
  name: "longer-tuple",
  *mutate(node, model, raw) {
    const prefix = node.keywords.find((keyword) => keyword.kind === "prefixItems");
    const rest = node.keywords.find((keyword) => keyword.kind === "items" || keyword.kind === "unevaluatedItems");
    if (prefix?.kind !== "prefixItems" || (rest?.kind !== "items" && rest?.kind !== "unevaluatedItems")) return;
    const last = prefix.nodes.at(-1);
    const prefixSchemas = Array.isArray(raw.prefixItems) ? raw.prefixItems : raw.items;
    const lastSchema = Array.isArray(prefixSchemas) ? prefixSchemas.at(-1) : undefined;
    if (last === undefined || !isObject(lastSchema) || model.nodes.get(rest.node)?.always !== false) return;
    yield {
      effect: "weaker",
      isFineGrained: true,
      isTriedEarly: true,
      site: rest.site,
      keyword: rest.kind,
      says: "more items like the last one may follow",
      edits: [{ at: rest.site, value: withoutNames(lastSchema) }],
      nodes: [withKeyword(node, rest, { ...rest, node: last })],
    };
  },
};

/** A copy must not have the name of the original. */
function withoutNames({ $id: _id, $anchor: _anchor, $dynamicAnchor: _dynamic, ...rest }: Record<string, Json>): Json {
  return rest;
}
