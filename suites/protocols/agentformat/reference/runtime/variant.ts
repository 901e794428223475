import * as broken from "../../../../packs/reference/breaks.ts";
import type { Decisions } from "./decisions.ts";

/** A runtime that decides wrongly in one way. */
export interface RuntimeVariant extends broken.Mistaken {
  decisions: Partial<Decisions>;
}

/** Runtimes that break a rule, by the name that distinguishes them. */
export type Mistakes = broken.Mistakes<Partial<Decisions>>;

/** Runtimes that break a rule, one for each mistake. */
export function breaks(rule: string, mistakes: Mistakes): RuntimeVariant[] {
  return broken.variantsOf("decisions", rule, mistakes);
}
