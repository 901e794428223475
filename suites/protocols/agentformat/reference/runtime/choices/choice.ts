import type { LiveChoice } from "../../../../../../schemas/index.ts";
import type { Decisions } from "../decisions.ts";

/** How a runtime sends its messages, independent of their content. */
export interface Manners {
  /** The number of empty reads before each of the first messages of a run. */
  emptyReads: number;
  /** Whether the ids of its call-backs are unordered texts instead of numbers. */
  hasTextIds: boolean;
  /** Whether its messages have members beyond the binding. */
  hasMore: boolean;
  /** Whether each read returns only one message. */
  isSingle: boolean;
  /** Whether its clock can be moved, although the time limit uses another clock. */
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

/** A choice of how a runtime behaves. */
export type Conduct = Omit<RuntimeChoice, "kind">;
