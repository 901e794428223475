import { type Mistaken, type Mistakes, variantsOf } from "../../../packs/reference/mistakes.ts";

/** The different decisions of a party: some of them, or a function that makes them from the right ones. */
type Conducted<Decisions> = Partial<Decisions> | ((right: Decisions) => Partial<Decisions>);

/** A party with one wrong decision. */
export interface PartyMistake<Decisions> extends Mistaken {
  conduct: Conducted<Decisions>;
  /** It shows only over several steps, so that walks find it, and no scenario has to. */
  isCourse?: true;
}

/** Parties that break a rule, by the name that distinguishes them. */
export function breaks<Decisions>(
  rule: string,
  mistakes: Mistakes<Conducted<Decisions>, Pick<PartyMistake<Decisions>, "isCourse">>,
): PartyMistake<Decisions>[] {
  return variantsOf("conduct", rule, mistakes);
}
