import type { Operator } from "../mutant.ts";

/** Keywords beside a reference are ignored, as in draft-07. */
export const siblings: Operator = {
  name: "reference-siblings",
  *mutate(node, _model, raw) {
    const reference = node.keywords.find((keyword) => keyword.kind === "ref");
    const others = node.keywords.filter((keyword) => keyword !== reference);
    if (reference === undefined || others.length === 0) return;
    // A compiled keyword may have another name: a condition has its branches beside it.
    const stay = ["$ref", "$id", "$schema", "$defs", "definitions", "$anchor", "$dynamicAnchor"];
    const dropped = Object.keys(raw).filter((name) => !stay.includes(name));
    const { marks: _, ...rest } = node;
    yield {
      effect: "weaker",
      site: reference.site,
      keyword: "$ref",
      says: "keywords beside the reference are ignored",
      edits: dropped.map((name) => ({ at: `${node.location}/${name}` })),
      nodes: [{ ...rest, keywords: [reference] }],
    };
  },
};
