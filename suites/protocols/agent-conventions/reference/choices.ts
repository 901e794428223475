import type { LiveChoice } from "../../../../schemas/index.ts";

/** A permitted difference of a conforming party, as data and as a change of its conduct. */
export interface PartyDifference<Decisions> extends Omit<LiveChoice, "side"> {
  conduct: Partial<Decisions> | ((rightDecisions: Decisions) => Partial<Decisions>);
}

interface ChangedConduct<Decisions> {
  conduct: Partial<Decisions> | ((rightDecisions: Decisions) => Partial<Decisions>);
}

/** Applies several changes to a conduct, each to the result of the previous change. */
export function changeDecisions<Decisions extends object>(
  rightDecisions: Decisions,
  changes: readonly ChangedConduct<Decisions>[],
): Decisions {
  const conduct = { ...rightDecisions };
  for (const change of changes)
    Object.assign(conduct, typeof change.conduct === "function" ? change.conduct({ ...conduct }) : change.conduct);
  return conduct;
}
