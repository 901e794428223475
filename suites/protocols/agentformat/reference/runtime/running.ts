import type { Decisions } from "./decisions.ts";
import type { Order, World } from "./order.ts";
import type { Spending } from "./spending.ts";

/** A run that is under way. */
export interface Running {
  order: Order;
  world: World;
  decisions: Decisions;
  spending: Spending;
  /** The memory context; undefined for a run without memory. */
  context: string | undefined;
  /** Names of calls that consent was given to. */
  granted: Set<string>;
}
