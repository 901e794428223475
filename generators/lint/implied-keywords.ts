import type { EvaluationPlace } from "../evaluate/places.ts";
import { withoutSite } from "../evaluate/reduced-model.ts";
import { keywordAt, sitesOf } from "../evaluate/sites.ts";
import { type Location, type Model, nodeAt } from "../model/model.ts";
import { isRedundant } from "../mutation/redundancy.ts";

/** The number of other assertions about the same value that are examined. */
const maxAsked = 16;

/**
 * Assertions about the same value, or in `more`, without which the redundant one would refuse something. If two others each imply it alone, there are none:
 * neither of them is needed for it.
 */
export function findImplying(
  model: Model,
  idle: Location,
  allPlaces: readonly EvaluationPlace[],
  more: readonly Location[] = [],
): Location[] {
  const ownNode = keywordAt(model, idle)?.node;
  const values = new Set(allPlaces.flatMap(({ node, at }) => (node === ownNode ? [at.join("/")] : [])));
  const nodes = new Set(allPlaces.flatMap(({ node, at }) => (values.has(at.join("/")) ? [node] : [])));
  const others = [...nodes].flatMap((node) =>
    nodeAt(model, node).keywords.flatMap((keyword) => sitesOf(keyword, model).map(({ location }) => location)),
  );
  return [...new Set([...others, ...more])]
    .filter((other) => other !== idle)
    .slice(0, maxAsked)
    .filter((other) => {
      const relaxed = withoutSite(model, other);
      return relaxed !== undefined && !isRedundant(relaxed.model, idle);
    });
}
