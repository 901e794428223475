import type { Keyword, Node } from "../model/model.ts";

/** The node with one keyword replaced, or removed without a replacement. */
export function withKeyword(node: Node, old: Keyword, replacement?: Keyword): Node {
  const replacements = replacement === undefined ? [] : [replacement];
  return { ...node, keywords: node.keywords.flatMap((keyword) => (keyword === old ? replacements : [keyword])) };
}
