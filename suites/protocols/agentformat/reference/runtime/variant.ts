import * as broken from "../../../../packs/reference/mistakes.ts";
import type { Decisions } from "./decisions.ts";

/** Wrong decisions. Those that remember are a function, called for each runtime: many runtimes may run in one process. */
export type Mistake = Partial<Decisions> | (() => Partial<Decisions>);

/** A runtime that decides wrongly in one way. */
export interface RuntimeVariant extends broken.Mistaken {
  decisions: Mistake;
}

/** Runtimes that break a rule, by the name that distinguishes them. */
export type Mistakes = broken.Mistakes<Mistake>;

/** Runtimes that break a rule, one for each mistake. */
export function breaks(rule: string, mistakes: Mistakes): RuntimeVariant[] {
  return broken.variantsOf("decisions", rule, mistakes);
}

/** The wrong decisions of one runtime. */
export function decisionsOf({ decisions }: Pick<RuntimeVariant, "decisions">): Partial<Decisions> {
  return typeof decisions === "function" ? decisions() : decisions;
}
