import { nodeAt } from "../../model/model.ts";
import { withKeyword } from "../keyword-change.ts";
import { type Operator, rawAt } from "../mutant.ts";

/** A reference that is not followed, or followed only for the type. */
export const reference: Operator = {
  name: "reference-dropped",
  *mutate(node, model, raw, { schemas }) {
    for (const keyword of node.keywords) {
      if (keyword.kind !== "ref" && keyword.kind !== "dynamicRef") continue;
      const left = { effect: "weaker", site: keyword.site, keyword: "$ref" } as const;
      const drop = { at: keyword.site };
      yield { ...left, says: "the reference is not followed", edits: [drop], nodes: [withKeyword(node, keyword)] };
      if (keyword.kind !== "ref" || "type" in raw) continue;
      const type = nodeAt(model, keyword.node).keywords.find(({ kind }) => kind === "type");
      const value = type && rawAt(schemas, type.site);
      if (type === undefined || value === undefined) continue;
      const site = `${node.location}/type`;
      const nodes = [withKeyword(node, keyword, { ...type, site })];
      const says = "only the type of the referenced schema is checked";
      yield { ...left, says, edits: [drop, { at: site, value }], nodes };
    }
  },
};
