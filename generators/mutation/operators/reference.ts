import { nodeAt } from "../../model/model.ts";
import { withKeyword } from "../keyword-change.ts";
import { type Operator, rawAt } from "../mutant.ts";

/** Mutants of a reference: it is not followed, or only for the type. */
export const referenceOperator: Operator = {
  name: "reference-dropped",
  *mutate(node, model, raw, { schemas }) {
    for (const keyword of node.keywords) {
      if (keyword.kind !== "ref" && keyword.kind !== "dynamicRef") continue;
      const mutant = { effect: "weaker", site: keyword.site, keyword: "$ref" } as const;
      const removal = { at: keyword.site };
      yield { ...mutant, says: "the reference is not followed", edits: [removal], nodes: [withKeyword(node, keyword)] };
      if (keyword.kind !== "ref" || "type" in raw) continue;
      const type = nodeAt(model, keyword.node).keywords.find(({ kind }) => kind === "type");
      const value = type && rawAt(schemas, type.site);
      if (type === undefined || value === undefined) continue;
      const site = `${node.location}/type`;
      const nodes = [withKeyword(node, keyword, { ...type, site })];
      const says = "only the type of the referenced schema is checked";
      yield { ...mutant, says, edits: [removal, { at: site, value }], nodes };
    }
  },
};
