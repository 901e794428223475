import type { LiveChoice } from "../../../../../../schemas/index.ts";
import type { Decisions } from "../decisions.ts";

/** How a runtime sends its messages, independent of their content. */
export interface Manners {
  /** The number of empty reads before each of the first messages of a run. */
  emptyReads: number;
  /** Whether the ids of its call-backs are unordered strings instead of numbers. */
  hasTextIds: boolean;
  /** Whether its messages have members that the binding does not define. */
  hasMore: boolean;
  /** Whether each read returns only one message. */
  isSingle: boolean;
  /** Whether the time limit uses a clock that the clock hook does not advance. */
  hasOwnTime: boolean;
}

export const usualManners: Manners = {
  emptyReads: 0,
  hasTextIds: false,
  hasMore: false,
  isSingle: false,
  hasOwnTime: false,
};

/** A choice with its decisions and manners. */
export interface RuntimeChoice extends LiveChoice {
  decisions?: Partial<Decisions>;
  manners?: Partial<Manners>;
}

/** A choice about the behaviour of a runtime; its kind is always "freedom". */
export type BehaviourChoice = Omit<RuntimeChoice, "kind">;
