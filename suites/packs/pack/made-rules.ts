import type { Rule, RuleFamily } from "../../../schemas/index.ts";
import { saidOf } from "./families.ts";

/** Makes entries for rules that a pack checks but does not list. */
export function withMadeRules(listed: readonly Rule[], families: readonly RuleFamily[]): Rule[] {
  const known = new Set(listed.map(({ id }) => id));
  const made = new Map<string, Rule>();
  for (const { checkers, cases } of families)
    for (const checker of checkers) {
      const { rule: id, documents } = checker;
      if (known.has(id) || made.has(id)) continue;
      const own = cases.filter((each) => each.rule === id);
      const { statement = statementFrom(own), level = "MUST" } = saidOf(checker);
      made.set(id, {
        id,
        level,
        clause: "-",
        statement,
        binds: documents.map((name) => name.replaceAll(/[^a-z]+/g, "-").replace(/^-|-$/g, "")),
        check: "semantic",
        status: own.length > 0 ? { covered: "a checker and its cases" } : { planned: "cases that show it" },
      });
    }
  return [...made.values()];
}

/** The statement of a rule: the description of its first invalid case, negated. */
function statementFrom(cases: RuleFamily["cases"]): string {
  const [broken] = cases.flatMap(({ invalid }) => invalid);
  if (broken === undefined) return "The demand of its checker.";
  const place = broken.at ?? broken.change?.[0]?.path ?? "";
  return `Refused is where ${place === "" ? "the document" : place.slice(1).replaceAll("/", ".")} ${broken.says}.`;
}
