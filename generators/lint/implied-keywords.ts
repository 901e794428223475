import type { EvaluationPlace } from "../evaluate/places.ts";
import { withoutSite } from "../evaluate/reduced-model.ts";
import { keywordAt, sitesOf } from "../evaluate/sites.ts";
import { type Location, type Model, nodeAt } from "../model/model.ts";
import { isIdle } from "../mutation/idle-assertions.ts";

/** The number of other assertions about the same value that are examined. */
const maxAsked = 16;

/**
 * Of the assertions about the same value, and of `more`, those without which this one, which is idle, would refuse something. None where two
 * others imply it, each alone: then neither is needed.
 */
export function impliedBy(
  model: Model,
  idle: Location,
  ways: readonly EvaluationPlace[],
  more: readonly Location[] = [],
): Location[] {
  const home = keywordAt(model, idle)?.node;
  const values = new Set(ways.flatMap(({ node, at }) => (node === home ? [at.join("/")] : [])));
  const nodes = new Set(ways.flatMap(({ node, at }) => (values.has(at.join("/")) ? [node] : [])));
  const others = [...nodes].flatMap((node) =>
    nodeAt(model, node).keywords.flatMap((keyword) => sitesOf(keyword, model).map(({ location }) => location)),
  );
  return [...new Set([...others, ...more])]
    .filter((other) => other !== idle)
    .slice(0, maxAsked)
    .filter((other) => {
      const open = withoutSite(model, other);
      return open !== undefined && !isIdle(open.model, idle);
    });
}
