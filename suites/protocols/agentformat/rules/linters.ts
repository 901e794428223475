import type { Capability, RuleFamily } from "../../../../schemas/index.ts";
import { agentSchema } from "./schema.ts";

/** The family, with what only authors, linters and runtimes have to keep marked as such: a parser may accept what breaks it. */
export function forLinters(family: RuleFamily): RuleFamily {
  return {
    ...family,
    cases: family.cases.map((cases) => {
      if (cases.document !== "agent" || bindsParsers(cases.rule)) return cases;
      const marked = <Each extends { needs?: readonly Capability[] }>(each: Each): Each => ({
        ...each,
        needs: [...(each.needs ?? []), "lint" as const],
      });
      const { valid, invalid, disputed } = cases;
      return {
        ...cases,
        valid: valid.map(marked),
        invalid: invalid.map(marked),
        ...(disputed === undefined ? {} : { disputed: disputed.map(marked) }),
      };
    }),
  };
}

function bindsParsers(id: string): boolean {
  return (
    agentSchema()
      .rules.find((rule) => rule.id === id)
      ?.binds?.includes("parser") ?? true
  );
}
