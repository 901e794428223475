import type { Keyword, Node } from "../model/model.ts";

/** Replaces one keyword of a node. Without a replacement, removes it. */
export function withKeyword(node: Node, old: Keyword, replacement?: Keyword): Node {
  const replacements = replacement === undefined ? [] : [replacement];
  return { ...node, keywords: node.keywords.flatMap((keyword) => (keyword === old ? replacements : [keyword])) };
}
