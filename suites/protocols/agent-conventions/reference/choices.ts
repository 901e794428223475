import type { LiveChoice } from "../../../../schemas/index.ts";

/** A permitted difference of a conforming party: its description and the change of its conduct. */
export interface PartyDifference<Decisions> extends Omit<LiveChoice, "side"> {
  conduct: Partial<Decisions> | ((correctDecisions: Decisions) => Partial<Decisions>);
}

interface ChangedConduct<Decisions> {
  conduct: Partial<Decisions> | ((correctDecisions: Decisions) => Partial<Decisions>);
}

/** Applies several changes to a conduct, each to the result of the previous change. */
export function changeDecisions<Decisions extends object>(
  correctDecisions: Decisions,
  changes: readonly ChangedConduct<Decisions>[],
): Decisions {
  const conduct = { ...correctDecisions };
  for (const change of changes)
    Object.assign(conduct, typeof change.conduct === "function" ? change.conduct({ ...conduct }) : change.conduct);
  return conduct;
}
