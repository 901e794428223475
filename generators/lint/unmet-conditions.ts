import { reach } from "../drafts/reach.ts";
import type { EvaluationPlace } from "../evaluate/places.ts";
import { type Keyword, type KeywordOf, type Location, type Model, type Node, nodeAt } from "../model/model.ts";
import { isEquivalentModel } from "../mutation/redundancy.ts";
import type { LintFinding } from "./finding.ts";

/** Finds conditions that no valid instance meets, even without their consequence. `idleBranches` lists their consequences, which have no effect. */
export function findUnmetConditions(
  model: Model,
  allPlaces: readonly EvaluationPlace[],
  isLate: () => boolean,
): { findings: LintFinding[]; idleBranches: Location[] } {
  const findings: LintFinding[] = [];
  const idleBranches: Location[] = [];
  for (const location of new Set(allPlaces.map(({ node }) => node))) {
    const node = nodeAt(model, location);
    for (const keyword of node.keywords) {
      if (keyword.kind !== "if" || keyword.then === undefined || isLate()) continue;
      if (!allPlaces.every((place) => place.node !== location || isUnmet(model, place, node, keyword))) continue;
      if (!isEquivalentModel(model, withKeyword(model, node, keyword, [withoutThen(keyword)]), [location])) continue;
      findings.push({
        at: keyword.site,
        kind: "dead",
        why: "the condition is never met, so `then` refuses nothing (proven)",
      });
      idleBranches.push(keyword.then);
    }
  }
  return { findings, idleBranches };
}

function isUnmet(model: Model, place: EvaluationPlace, node: Node, keyword: KeywordOf<"if">): boolean {
  return (
    "none" in
    reach(withKeyword(model, node, keyword, []), place, [], {
      op: "schema",
      node: keyword.condition,
      sign: true,
      scope: {},
    })
  );
}

function withoutThen({ then: _, ...rest }: KeywordOf<"if">): Keyword {
  return rest;
}

function withKeyword(model: Model, node: Node, keyword: Keyword, replacements: readonly Keyword[]): Model {
  const keywords = node.keywords.flatMap((other) => (other === keyword ? replacements : [other]));
  return { ...model, nodes: new Map(model.nodes).set(node.location, { ...node, keywords }) };
}
