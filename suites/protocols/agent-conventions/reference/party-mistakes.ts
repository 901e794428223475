import { type Mistaken, type Mistakes, variantsOf } from "../../../packs/reference/mistakes.ts";

/** Changed decisions of a party, given directly or derived from the correct ones. */
type ConductChange<Decisions> = Partial<Decisions> | ((rightDecisions: Decisions) => Partial<Decisions>);

/** A broken party: it makes one decision wrongly. */
export interface PartyMistake<Decisions> extends Mistaken {
  conduct: ConductChange<Decisions>;
  /** Set if the mistake shows only over several steps: walks must find it, scenarios need not. */
  isCourse?: true;
}

/** The broken parties of one rule, one for each named mistake. */
export function breaks<Decisions>(
  rule: string,
  mistakes: Mistakes<ConductChange<Decisions>, Pick<PartyMistake<Decisions>, "isCourse">>,
): PartyMistake<Decisions>[] {
  return variantsOf("conduct", rule, mistakes);
}
