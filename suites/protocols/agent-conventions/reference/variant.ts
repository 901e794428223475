import { type Mistaken, type Mistakes, variantsOf } from "../../../packs/reference/mistakes.ts";

/** The different decisions of a party: some of them, or a function that makes them from the right ones. */
type Conducted<Decisions> = Partial<Decisions> | ((right: Decisions) => Partial<Decisions>);

/** A party that makes one decision wrongly. */
export interface PartyMistake<Decisions> extends Mistaken {
  conduct: Conducted<Decisions>;
  /** Set if the mistake only shows over several steps: walks must find it, scenarios need not. */
  isCourse?: true;
}

/** Parties that break a rule. Each has a name that distinguishes it. */
export function breaks<Decisions>(
  rule: string,
  mistakes: Mistakes<Conducted<Decisions>, Pick<PartyMistake<Decisions>, "isCourse">>,
): PartyMistake<Decisions>[] {
  return variantsOf("conduct", rule, mistakes);
}
