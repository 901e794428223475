import { withKeyword } from "../change.ts";
import type { Operator } from "../mutant.ts";

/** A branch left out, and `oneOf` read as `anyOf`. */
export const branch: Operator = {
  name: "branch",
  *mutate(node, _model, raw) {
    for (const keyword of node.keywords) {
      if (keyword.kind !== "oneOf" && keyword.kind !== "anyOf" && keyword.kind !== "allOf") continue;
      if (keyword.nodes.length > 1) {
        for (const index of keyword.nodes.keys()) {
          yield {
            effect: keyword.kind === "allOf" ? "weaker" : keyword.kind === "anyOf" ? "stronger" : "other",
            site: `${keyword.site}/${index}`,
            entryOf: keyword.site,
            keyword: keyword.kind,
            says: `branch ${index} is missing`,
            edits: [{ at: `${keyword.site}/${index}` }],
            nodes: [
              withKeyword(node, keyword, { ...keyword, nodes: keyword.nodes.filter((_, other) => other !== index) }),
            ],
          };
        }
      }
      if (keyword.kind === "oneOf" && raw.anyOf === undefined) {
        const site = `${node.location}/anyOf`;
        yield {
          effect: "weaker",
          site: keyword.site,
          keyword: "oneOf",
          says: "several branches may hold",
          edits: [{ at: site, value: raw.oneOf ?? [] }, { at: keyword.site }],
          nodes: [withKeyword(node, keyword, { kind: "anyOf", site: keyword.site, nodes: keyword.nodes })],
        };
      }
    }
  },
};
