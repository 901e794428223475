import { locationsLeadingTo } from "../evaluate/model-pair.ts";
import type { Keyword, Location, Model } from "../model/model.ts";

/**
 * Whether the whole schema accepts more if these schemas accept more, and less if they accept less: no keyword on the path negates a schema or depends on
 * evaluated parts.
 */
export function isMonotonic(model: Model, changedLocations: readonly Location[]): boolean {
  const affectedLocations = locationsLeadingTo(model, changedLocations);
  for (const { marks, keywords } of model.nodes.values()) {
    if (marks) return false;
    // The target of a dynamic reference depends on the path.
    if (
      keywords.some(
        (keyword) =>
          keyword.kind === "dynamicRef" || negatedLocations(keyword).some((node) => affectedLocations.has(node)),
      )
    )
      return false;
  }
  return true;
}

/** Lists the schemas of a keyword that can make it fail by holding. */
function negatedLocations(keyword: Keyword): readonly Location[] {
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
