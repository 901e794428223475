import { pointer } from "../../schemas/index.ts";
import { reach } from "../drafts/reach.ts";
import type { EvaluationPlace } from "../evaluate/places.ts";
import { type Location, type Model, nodeAt } from "../model/model.ts";
import type { LintFinding } from "./finding.ts";
import { relativeName } from "./relative-names.ts";

/** Finds declared members that no valid instance has, because another schema of the same object allows only its own members. */
export function findExcludedMembers(
  model: Model,
  allPlaces: readonly EvaluationPlace[],
  isLate: () => boolean,
): LintFinding[] {
  const closingKeywords = allPlaces.flatMap(({ node, at }) =>
    nodeAt(model, node).keywords.flatMap((keyword) =>
      keyword.kind === "additionalProperties" && nodeAt(model, keyword.node).always === false
        ? [{ keyword, node, at: at.join("/") }]
        : [],
    ),
  );
  const findings = new Map<Location, LintFinding>();
  const reachable = new Set<Location>();
  for (const place of closingKeywords.length === 0 ? [] : allPlaces) {
    const step = place.steps.at(-1);
    if (step?.kind !== "properties" || nodeAt(model, place.node).always === false || isLate()) continue;
    const name = String(step.key);
    const at = pointer.append(step.site, name);
    const object = place.at.slice(0, -1).join("/");
    const closedBy = closingKeywords.find(
      ({ keyword: { names, patterns }, node, at: closedPath }) =>
        node !== step.node &&
        closedPath === object &&
        !names.includes(name) &&
        !patterns.some(([, regexp]) => regexp.test(name)),
    );
    if (reachable.has(at)) continue;
    if (closedBy !== undefined && "none" in reach(model, place, [])) {
      const why = `no valid instance has it: ${relativeName(closedBy.keyword.site, at)} refuses every member that is not beside it (proven)`;
      findings.set(at, { at, kind: "closed-out", why });
    } else reachable.add(at);
  }
  return [...findings.values()].filter(({ at }) => !reachable.has(at));
}
