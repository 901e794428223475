import type { LiveChoice } from "../../../../../../schemas/index.ts";
import type { Decisions } from "../decisions.ts";

/** How a runtime sends its messages, independent of their content. */
export interface Manners {
  /** The number of empty reads before each of the first messages of a run. */
  emptyReads: number;
  /** Whether its call-backs have texts as ids, in no order. */
  hasTextIds: boolean;
  /** Whether its messages have members beyond the binding. */
  hasMore: boolean;
  /** Whether each read returns only one message. */
  isSingle: boolean;
  /** Whether its clock can be moved although the time limit follows another one. */
  hasOwnTime: boolean;
}

export const usualManners: Manners = {
  emptyReads: 0,
  hasTextIds: false,
  hasMore: false,
  isSingle: false,
  hasOwnTime: false,
};

/** A choice, with its decisions. */
export interface RuntimeChoice extends LiveChoice {
  decisions?: Partial<Decisions>;
  manners?: Partial<Manners>;
}

/** A choice of conduct. */
export type Conduct = Omit<RuntimeChoice, "kind">;
