import type { EvaluationPlace } from "../evaluate/places.ts";
import { withoutSite } from "../evaluate/reduced-model.ts";
import { keywordAt, sitesOf } from "../evaluate/sites.ts";
import { type Location, type Model, nodeAt } from "../model/model.ts";
import { isRedundant } from "../mutation/redundancy.ts";

/** The number of other assertions about the same value that are examined. */
const maxExamined = 16;

/**
 * Finds assertions that make another one redundant: without one of them, it would refuse something. They apply to the same value, or are among the
 * further candidates. If each of two assertions implies it alone, the result is empty.
 */
export function findImplying(
  model: Model,
  redundant: Location,
  allPlaces: readonly EvaluationPlace[],
  furtherCandidates: readonly Location[] = [],
): Location[] {
  const ownNode = keywordAt(model, redundant)?.node;
  const values = new Set(allPlaces.flatMap(({ node, at }) => (node === ownNode ? [at.join("/")] : [])));
  const nodes = new Set(allPlaces.flatMap(({ node, at }) => (values.has(at.join("/")) ? [node] : [])));
  const candidates = [...nodes].flatMap((node) =>
    nodeAt(model, node).keywords.flatMap((keyword) => sitesOf(keyword, model).map(({ location }) => location)),
  );
  return [...new Set([...candidates, ...furtherCandidates])]
    .filter((candidate) => candidate !== redundant)
    .slice(0, maxExamined)
    .filter((candidate) => {
      const relaxed = withoutSite(model, candidate);
      return relaxed !== undefined && !isRedundant(relaxed.model, redundant);
    });
}
