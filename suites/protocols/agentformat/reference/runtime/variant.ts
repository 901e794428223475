import * as broken from "../../../../packs/reference/mistakes.ts";
import type { Decisions } from "./decisions.ts";

/** Wrong decisions. Those with memory are a function, called for each runtime: one process may contain many. */
export type RuntimeMistake = Partial<Decisions> | (() => Partial<Decisions>);

/** A runtime with one wrong decision. */
export interface RuntimeVariant extends broken.Mistaken {
  decisions: RuntimeMistake;
}

/** Broken runtimes of one rule, by the name that distinguishes them. */
export type RuntimeMistakes = broken.Mistakes<RuntimeMistake>;

/** Runtimes that break a rule, one for each mistake. */
export function breaks(rule: string, mistakes: RuntimeMistakes): RuntimeVariant[] {
  return broken.variantsOf("decisions", rule, mistakes);
}

/** The wrong decisions of one runtime. */
export function decisionsOf({ decisions }: Pick<RuntimeVariant, "decisions">): Partial<Decisions> {
  return typeof decisions === "function" ? decisions() : decisions;
}
