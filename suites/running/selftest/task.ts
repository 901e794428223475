import type { LiveVariant } from "../../../schemas/index.ts";
import type { Detected } from "../scenarios/selftest.ts";
import type { Cell, PlayedCell } from "./cell.ts";
import type { CorrectParty, PlayedParty } from "./party.ts";

/** The input of a trial, by its kind. */
export interface Trials {
  variant: LiveVariant;
  party: CorrectParty;
  cell: Cell;
}

/** The result of a trial, by its kind. */
export interface Outcomes {
  variant: Detected;
  party: PlayedParty;
  cell: PlayedCell;
}

export type TrialKind = keyof Trials;

/** One trial as it is sent to a process. */
export interface TrialTask<Kind extends TrialKind = TrialKind> {
  id: number;
  kind: Kind;
  /** The name and version of the protocol. */
  protocol: string;
  given: Trials[Kind];
  seed: number;
}

/** The answer of a process. */
export type TrialAnswer = { id: number } & ({ outcome: Outcomes[TrialKind] } | { error: string });
