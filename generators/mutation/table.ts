import type { MutationScore } from "../../schemas/index.ts";
import type { MutantOutcomes } from "./kill-mutants.ts";
import { type Mutant, requiredKills } from "./mutant.ts";

/** Computes the mutation score of one document in numbers, and the mutants with too few kills. */
export function tableOf(
  { all, equivalent, killableOnce, refusingRules, reasons, partial }: MutantOutcomes,
  kills: ReadonlyMap<Mutant, number>,
  killsNeeded: (mutant: Mutant) => number = requiredKills,
): MutationScore {
  const killsOf = (mutant: Mutant) => kills.get(mutant) ?? 0;
  const isEquivalent = (mutant: Mutant) => killsOf(mutant) === 0 && equivalent.has(mutant);
  const isBeyond = (mutant: Mutant) => killsOf(mutant) === 0 && refusingRules.has(mutant);
  const isOnly = (mutant: Mutant) => killsOf(mutant) === 1 && killableOnce.has(mutant);
  const tally = (mutants: readonly Mutant[]) => ({
    mutants: mutants.length,
    twice: mutants.filter((mutant) => killsOf(mutant) === 2).length,
    once: mutants.filter((mutant) => killsOf(mutant) === 1).length,
    only: mutants.filter(isOnly).length,
    beyond: mutants.filter(isBeyond).length,
    equivalent: mutants.filter(isEquivalent).length,
  });
  const tallyBy = (nameOf: (mutant: Mutant) => string) =>
    Object.fromEntries(
      [...new Set(all.map(nameOf))]
        .sort()
        .map((name) => [name, tally(all.filter((mutant) => nameOf(mutant) === name))]),
    );
  const away = all.filter((mutant) => mutant.isFromElsewhere === true).length;
  return {
    ...tally(all),
    ...(away > 0 ? { away } : {}),
    ...(partial ? { partial } : {}),
    keywords: tallyBy(({ keyword }) => keyword),
    operators: tallyBy(({ operator }) => operator),
    unforced: all
      .filter((mutant) => killsOf(mutant) < killsNeeded(mutant) && !isEquivalent(mutant))
      .map((mutant) => ({
        site: mutant.site,
        operator: mutant.operator,
        says: mutant.says,
        kills: killsOf(mutant),
        ...reasonFor(mutant),
      })),
  };

  function reasonFor(mutant: Mutant): { why: string; beyond?: string[] } {
    if (isOnly(mutant)) return { why: "killed by one vector, and no other distinguishing instance exists (proven)" };
    const rules = isBeyond(mutant) ? refusingRules.get(mutant) : undefined;
    if (rules === undefined)
      return { why: reasons.get(mutant) ?? "every distinguishing instance that was found is disputed" };
    return { why: `only vectors kill it that ${rules.join(" or ")} may refuse`, beyond: [...rules] };
  }
}
