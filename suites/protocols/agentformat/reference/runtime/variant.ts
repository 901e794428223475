import * as variants from "../../../../packs/reference/mistakes.ts";
import type { Decisions } from "./decisions.ts";

/** Wrong decisions. Stateful ones are a function, which is called for each runtime, because one process may contain several. */
export type RuntimeMistake = Partial<Decisions> | (() => Partial<Decisions>);

/** A runtime with one wrong decision. */
export interface RuntimeVariant extends variants.MistakenParty {
  decisions: RuntimeMistake;
}

/** Mistakes against one rule, each with a name. */
export type RuntimeMistakes = variants.Mistakes<RuntimeMistake>;

/** Makes runtimes that break a rule, one for each mistake. */
export function breaks(rule: string, mistakes: RuntimeMistakes): RuntimeVariant[] {
  return variants.variantsOf("decisions", rule, mistakes);
}

/** The wrong decisions of one runtime. */
export function decisionsOf({ decisions }: Pick<RuntimeVariant, "decisions">): Partial<Decisions> {
  return typeof decisions === "function" ? decisions() : decisions;
}
