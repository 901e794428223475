import type { Keyword, Node } from "../model/model.ts";

/** The node with one keyword replaced, or removed without a replacement. */
export function withKeyword(node: Node, old: Keyword, replacement?: Keyword): Node {
  return {
    ...node,
    keywords: node.keywords.flatMap((keyword) =>
      keyword === old ? (replacement === undefined ? [] : [replacement]) : [keyword],
    ),
  };
}
