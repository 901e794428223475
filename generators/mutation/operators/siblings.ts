import type { Operator } from "../mutant.ts";

/** The mutant of a reference that ignores the keywords beside it, as draft-07 does. */
export const siblingsOperator: Operator = {
  name: "reference-siblings",
  *mutate(node, _model, raw) {
    const reference = node.keywords.find((keyword) => keyword.kind === "ref");
    const otherKeywords = node.keywords.filter((keyword) => keyword !== reference);
    if (reference === undefined || otherKeywords.length === 0) return;
    // The names are read from the document, because a compiled keyword may combine several, such as `if`, `then` and `else`.
    const keptNames = ["$ref", "$id", "$schema", "$defs", "definitions", "$anchor", "$dynamicAnchor"];
    const droppedNames = Object.keys(raw).filter((name) => !keptNames.includes(name));
    const { marks: _, ...rest } = node;
    yield {
      effect: "weaker",
      site: reference.site,
      keyword: "$ref",
      says: "keywords beside the reference are ignored",
      edits: droppedNames.map((name) => ({ at: `${node.location}/${name}` })),
      nodes: [{ ...rest, keywords: [reference] }],
    };
  },
};
