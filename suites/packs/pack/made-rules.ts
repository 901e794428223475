import type { Rule, RuleFamily } from "../../../schemas/index.ts";
import { declaredFactsOf } from "./families.ts";

/** Makes entries for the rules that a pack checks but does not list. */
export function makeUnlistedRules(listedRules: readonly Rule[], families: readonly RuleFamily[]): Rule[] {
  const listedIds = new Set(listedRules.map(({ id }) => id));
  const unlisted = new Map<string, Rule>();
  for (const { checkers, cases } of families)
    for (const checker of checkers) {
      const { rule: id, documents } = checker;
      if (listedIds.has(id) || unlisted.has(id)) continue;
      const ruleCases = cases.filter((candidate) => candidate.rule === id);
      const { statement = statementFrom(ruleCases), level = "MUST" } = declaredFactsOf(checker);
      unlisted.set(id, {
        id,
        level,
        clause: "-",
        statement,
        binds: documents.map((name) => name.replaceAll(/[^a-z]+/g, "-").replace(/^-|-$/g, "")),
        check: "semantic",
        status: ruleCases.length > 0 ? { covered: "a checker and its cases" } : { planned: "cases that show it" },
      });
    }
  return [...unlisted.values()];
}

/** The statement of a rule: the description of its first invalid case, negated. */
function statementFrom(cases: RuleFamily["cases"]): string {
  const [invalidCase] = cases.flatMap(({ invalid }) => invalid);
  if (invalidCase === undefined) return "The requirement of its checker.";
  const place = invalidCase.at ?? invalidCase.change?.[0]?.path ?? "";
  return `Refused if ${place === "" ? "the document" : place.slice(1).replaceAll("/", ".")} ${invalidCase.says}.`;
}
