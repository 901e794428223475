import type { Forcing } from "../../schemas/index.ts";
import type { Filled } from "./fill.ts";
import type { Mutant } from "./mutant.ts";

/** The forcing of one document as numbers, and by name what is not forced twice. */
export function tableOf({ all, equivalent, unforced }: Filled): Forcing {
  const proven = new Set(equivalent);
  const kills = new Map(unforced.map(({ mutant, kills }) => [mutant, kills]));
  const tally = (mutants: readonly Mutant[]) => {
    const open = mutants.filter((mutant) => !proven.has(mutant));
    return {
      mutants: mutants.length,
      twice: open.filter((mutant) => !kills.has(mutant)).length,
      once: open.filter((mutant) => kills.get(mutant) === 1).length,
      equivalent: mutants.length - open.length,
    };
  };
  const keywords = [...new Set(all.map(({ keyword }) => keyword))].sort();
  return {
    ...tally(all),
    keywords: Object.fromEntries(
      keywords.map((keyword) => [keyword, tally(all.filter((mutant) => mutant.keyword === keyword))]),
    ),
    unforced: unforced.map(({ mutant: { site, operator, says }, kills, why }) => ({
      site,
      operator,
      says,
      kills,
      why,
    })),
  };
}
