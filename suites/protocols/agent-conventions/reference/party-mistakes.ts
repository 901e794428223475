import { type MistakenParty, type Mistakes, variantsOf } from "../../../packs/reference/mistakes.ts";

/** The changed decisions of a party, or a function that derives them from the correct ones. */
type ConductChange<Decisions> = Partial<Decisions> | ((correctDecisions: Decisions) => Partial<Decisions>);

/** A party that makes one decision wrongly. */
export interface PartyMistake<Decisions> extends MistakenParty {
  conduct: ConductChange<Decisions>;
  /** Set if the mistake shows only after several steps: walks must find it, scenarios need not. */
  isCourse?: true;
}

/** Makes parties that break a rule, one for each mistake. */
export function breaks<Decisions>(
  rule: string,
  mistakes: Mistakes<ConductChange<Decisions>, Pick<PartyMistake<Decisions>, "isCourse">>,
): PartyMistake<Decisions>[] {
  return variantsOf("conduct", rule, mistakes);
}
