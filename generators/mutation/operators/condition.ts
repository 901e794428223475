import type { Json } from "../../../schemas/index.ts";
import { type Location, type Model, type Node, nodeAt } from "../../model/model.ts";
import { withKeyword } from "../change.ts";
import type { Operator } from "../mutant.ts";

/** A conditional that is not followed, always followed, or followed the wrong way round. */
export const condition: Operator = {
  name: "condition",
  *mutate(node, model, raw) {
    for (const keyword of node.keywords) {
      if (keyword.kind !== "if") continue;
      for (const side of ["then", "else"] as const) {
        if (keyword[side] === undefined) continue;
        const { [side]: _dropped, ...rest } = keyword;
        yield {
          effect: "weaker",
          site: `${node.location}/${side}`,
          keyword: side,
          says: `${side} is not followed`,
          edits: [{ at: `${node.location}/${side}` }],
          nodes: [withKeyword(node, keyword, rest)],
        };
      }
      const old = nodeAt(model, keyword.condition);
      const always: Node = { ...old, always: true, keywords: [] };
      yield {
        effect: "other",
        site: keyword.site,
        keyword: "if",
        says: "the condition is always met",
        edits: [{ at: keyword.site, value: true }],
        nodes: [always],
      };
      const inner = unused(model, `${keyword.condition}/not`);
      const negated: Node = {
        location: old.location,
        resource: old.resource,
        keywords: [{ kind: "not", site: inner, node: inner }],
      };
      yield {
        effect: "other",
        site: keyword.site,
        keyword: "if",
        says: "the condition is turned round",
        edits: [{ at: keyword.site, value: { not: raw.if as Json } }],
        nodes: [negated, { ...old, location: inner }],
      };
    }
  },
};

/** The location, or one below it that the model does not have: a condition may be a negation itself. */
function unused({ nodes }: Model, location: Location): Location {
  let free = location;
  while (nodes.has(free)) free += "/not";
  return free;
}
