import { leadingTo } from "../evaluate/beside.ts";
import type { Keyword, Location, Model } from "../model/model.ts";

/**
 * Whether the whole schema accepts more where these schemas do, and less where they do: nothing on the way to them asks that a
 * schema does not hold, or what others have evaluated.
 */
export function isUpright(model: Model, touched: readonly Location[]): boolean {
  const affected = leadingTo(model, touched);
  for (const { marks, keywords } of model.nodes.values()) {
    if (marks) return false;
    // Where a dynamic reference leads depends on the way.
    if (keywords.some((each) => each.kind === "dynamicRef" || turning(each).some((node) => affected.has(node))))
      return false;
  }
  return true;
}

/** The schemas of which a keyword wants that they do not hold, at least at times. */
function turning(keyword: Keyword): readonly Location[] {
  switch (keyword.kind) {
    case "not":
    case "unevaluatedItems":
    case "unevaluatedProperties":
      return [keyword.node];
    case "oneOf":
      return keyword.nodes;
    case "if":
      return [keyword.condition];
    case "contains":
      return keyword.max < Number.POSITIVE_INFINITY ? [keyword.node] : [];
    default:
      return [];
  }
}
