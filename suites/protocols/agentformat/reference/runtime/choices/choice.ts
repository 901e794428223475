import type { LiveChoice } from "../../../../../../schemas/index.ts";
import type { Decisions } from "../decisions.ts";

/** How the messages of a runtime come, regardless of their content. */
export interface Manners {
  /** How often it is listened to in vain ahead of each of the first messages of a run. */
  late: number;
  /** Its call-backs have ids that are texts, in no order. */
  hasTextIds: boolean;
  /** Its messages have members that the binding does not have. */
  hasMore: boolean;
  /** It gives one message each time that it is listened to. */
  isSingle: boolean;
  /** Its clock can be moved, and the limit of time goes by another. */
  hasOwnTime: boolean;
}

export const usualManners: Manners = { late: 0, hasTextIds: false, hasMore: false, isSingle: false, hasOwnTime: false };

/** A choice, and the decisions that make it. */
export interface RuntimeChoice extends LiveChoice {
  decisions?: Partial<Decisions>;
  manners?: Partial<Manners>;
}

/** A choice of conduct. */
export type Conduct = Omit<RuntimeChoice, "kind">;
