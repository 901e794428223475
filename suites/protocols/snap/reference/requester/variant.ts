import { type Mistaken, type Mistakes, variantsOf } from "../../../../packs/reference/mistakes.ts";
import type { RequesterDecisions } from "./requester.ts";

/** A requester with one wrong decision, which the suite must notice. */
export interface RequesterVariant extends Mistaken {
  policy: Partial<RequesterDecisions>;
}

/** Broken requesters of one rule, by the name that distinguishes them. */
export function breaks(rule: string, mistakes: Mistakes<Partial<RequesterDecisions>>): RequesterVariant[] {
  return variantsOf("policy", rule, mistakes);
}
