import { type MistakenParty, type Mistakes, variantsOf } from "../../../../packs/reference/mistakes.ts";
import type { RequesterDecisions } from "./requester.ts";

/** A requester with one wrong decision, which the suite must detect. */
export interface RequesterVariant extends MistakenParty {
  policy: Partial<RequesterDecisions>;
}

/** Makes requesters that break a rule, given their mistakes by the suffixes of their names. */
export function breaks(rule: string, mistakes: Mistakes<Partial<RequesterDecisions>>): RequesterVariant[] {
  return variantsOf("policy", rule, mistakes);
}
