import type { MutationScore } from "../../schemas/index.ts";
import type { MutantVectors } from "./filling.ts";
import { killsWanted, type Mutant } from "./mutant.ts";

/** The mutation score of one document as numbers, and the mutants with fewer kills than they should have. By default a mutant should have two kills, or one in the cases of `killsWanted`. */
export function tableOf(
  { all, equivalent, only, beyond, reasons, partial }: MutantVectors,
  kills: ReadonlyMap<Mutant, number>,
  wanted: (mutant: Mutant) => number = killsWanted,
): MutationScore {
  const isKilled = (mutant: Mutant) => kills.get(mutant) ?? 0;
  const isEquivalent = (mutant: Mutant) => isKilled(mutant) === 0 && equivalent.has(mutant);
  const isBeyond = (mutant: Mutant) => isKilled(mutant) === 0 && beyond.has(mutant);
  const isOnly = (mutant: Mutant) => isKilled(mutant) === 1 && only.has(mutant);
  const tally = (mutants: readonly Mutant[]) => ({
    mutants: mutants.length,
    twice: mutants.filter((mutant) => isKilled(mutant) === 2).length,
    once: mutants.filter((mutant) => isKilled(mutant) === 1).length,
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
  const away = all.filter((mutant) => mutant.away === true).length;
  return {
    ...tally(all),
    ...(away > 0 ? { away } : {}),
    ...(partial ? { partial } : {}),
    keywords: tallyBy(({ keyword }) => keyword),
    operators: tallyBy(({ operator }) => operator),
    unforced: all
      .filter((mutant) => isKilled(mutant) < wanted(mutant) && !isEquivalent(mutant))
      .map((mutant) => ({
        site: mutant.site,
        operator: mutant.operator,
        says: mutant.says,
        kills: isKilled(mutant),
        ...reason(mutant),
      })),
  };

  function reason(mutant: Mutant): { why: string; beyond?: string[] } {
    if (isOnly(mutant)) return { why: "killed by one vector, and no other distinguishing instance exists (proven)" };
    const rules = isBeyond(mutant) ? beyond.get(mutant) : undefined;
    if (rules === undefined)
      return { why: reasons.get(mutant) ?? "every distinguishing instance that was found is disputed" };
    return { why: `only vectors kill it that ${rules.join(" or ")} may refuse`, beyond: [...rules] };
  }
}
