import type { Model, Node } from "../model/model.ts";

/** Whether a schema is the first of a model that satisfies a condition. A mistake that a program makes everywhere is tested there only. */
export function isFirstSchema({ nodes }: Model, { location }: Node, holds: (node: Node) => boolean): boolean {
  for (const node of nodes.values()) if (holds(node)) return node.location === location;
  return false;
}
