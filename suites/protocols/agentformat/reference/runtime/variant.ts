import * as broken from "../../../../packs/reference/mistakes.ts";
import type { Decisions } from "./decisions.ts";

/** Wrong decisions. Decisions with memory are made by a function, which is called for each runtime, because one process may contain several. */
export type RuntimeMistake = Partial<Decisions> | (() => Partial<Decisions>);

/** A runtime with one wrong decision. */
export interface RuntimeVariant extends broken.Mistaken {
  decisions: RuntimeMistake;
}

/** Runtimes that break one rule, each with a name that distinguishes it. */
export type RuntimeMistakes = broken.Mistakes<RuntimeMistake>;

/** Runtimes that break a rule, one for each mistake. */
export function breaks(rule: string, mistakes: RuntimeMistakes): RuntimeVariant[] {
  return broken.variantsOf("decisions", rule, mistakes);
}

/** The wrong decisions of one runtime. */
export function decisionsOf({ decisions }: Pick<RuntimeVariant, "decisions">): Partial<Decisions> {
  return typeof decisions === "function" ? decisions() : decisions;
}
