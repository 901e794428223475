import { reach } from "../drafts/reach.ts";
import type { EvaluationPlace } from "../evaluate/places.ts";
import { type Formula, facet } from "../formulas/formula.ts";
import { kinds } from "../formulas/kinds.ts";
import { type KeywordOf, type Model, nodeAt } from "../model/model.ts";
import type { LintFinding } from "./finding.ts";

/** Finds conditions on members that they do not require, if a valid instance without one of these members meets the condition. */
export function findVacuousConditions(
  model: Model,
  allPlaces: readonly EvaluationPlace[],
  isLate: () => boolean,
): LintFinding[] {
  const findingsBySite = new Map<string, LintFinding>();
  for (const place of allPlaces)
    for (const keyword of nodeAt(model, place.node).keywords) {
      if (keyword.kind !== "if" || findingsBySite.has(keyword.site) || isLate()) continue;
      for (const name of optionalMembers(model, keyword)) {
        const solution = reach(model, place, [], conditionWithout(keyword, name));
        if (!("found" in solution)) continue;
        const why = `is also met without ${name}, which it does not require`;
        findingsBySite.set(keyword.site, { at: keyword.site, kind: "vacuous-if", why, example: solution.found });
        break;
      }
    }
  return [...findingsBySite.values()];
}

/** Lists the members that a condition concerns but does not require. */
function optionalMembers(model: Model, { condition, then }: KeywordOf<"if">): string[] {
  if (then === undefined) return [];
  const { keywords } = nodeAt(model, condition);
  const required = keywords.flatMap((keyword) => (keyword.kind === "required" ? keyword.names : []));
  return keywords
    .flatMap((keyword) => (keyword.kind === "properties" ? keyword.entries.map(([name]) => name) : []))
    .filter((name) => !required.includes(name));
}

function conditionWithout({ condition }: KeywordOf<"if">, name: string): Formula {
  const absence = facet(kinds.object, ({ object }) => {
    object.forbidden.add(name);
  });
  return { op: "and", of: [{ op: "schema", node: condition, sign: true, scope: {} }, absence] };
}
