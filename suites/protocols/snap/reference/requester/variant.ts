import { type Mistaken, type Mistakes, variantsOf } from "../../../../packs/reference/mistakes.ts";
import type { RequesterDecisions } from "./requester.ts";

/** A requester that decides wrongly in one way, so that a suite can be shown to notice. */
export interface RequesterVariant extends Mistaken {
  policy: Partial<RequesterDecisions>;
}

/** Requesters that break a rule, by the name that distinguishes them. */
export function breaks(rule: string, mistakes: Mistakes<Partial<RequesterDecisions>>): RequesterVariant[] {
  return variantsOf("policy", rule, mistakes);
}
