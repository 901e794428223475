import type { LiveVariant } from "../../../schemas/index.ts";
import type { Detected } from "../scenarios/selftest.ts";
import type { Cell, PlayedCell } from "./cell.ts";
import type { Party, PlayedParty } from "./party.ts";

/** What a trial is given, by its kind. */
export interface Trials {
  variant: LiveVariant;
  party: Party;
  cell: Cell;
}

/** What comes of it. */
export interface Outcomes {
  variant: Detected;
  party: PlayedParty;
  cell: PlayedCell;
}

export type TrialKind = keyof Trials;

/** One trial, as a process is told of it. */
export interface Task<Kind extends TrialKind = TrialKind> {
  id: number;
  kind: Kind;
  /** Name and version. */
  protocol: string;
  given: Trials[Kind];
  seed: number;
}

/** The answer of a process. */
export type TrialAnswer = { id: number } & ({ outcome: Outcomes[TrialKind] } | { error: string });
