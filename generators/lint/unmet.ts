import { reach } from "../drafts/reach.ts";
import type { EvaluationPlace } from "../evaluate/places.ts";
import { type Location, type Model, nodeAt } from "../model/model.ts";
import type { LintFinding } from "./finding.ts";

/** A condition that no valid instance meets, and what would apply where it were met. */
interface Unmet {
  finding: LintFinding;
  branch: Location | undefined;
}

/** The conditions that are never met, wherever they are asked, though something would follow; proven. */
export function neverMet(model: Model, ways: readonly EvaluationPlace[], isLate: () => boolean): Unmet[] {
  const found = new Map<Location, Unmet | undefined>();
  for (const place of ways)
    for (const keyword of nodeAt(model, place.node).keywords) {
      if (keyword.kind !== "if" || keyword.then === undefined) continue;
      const { site, condition, then } = keyword;
      if (isLate()) return [];
      if (found.has(site) && found.get(site) === undefined) continue;
      const isMet = !("none" in reach(model, place, [], { op: "schema", node: condition, sign: true, scope: {} }));
      const finding: LintFinding = {
        at: site,
        kind: "dead",
        why: "is never met: no valid instance fulfils the condition",
      };
      found.set(site, isMet ? undefined : { finding, branch: then });
    }
  return [...found.values()].filter((each) => each !== undefined);
}
