import type { Decisions } from "./decisions.ts";
import type { RuntimeOrder, World } from "./order.ts";
import type { Spending } from "./spending.ts";

/** A run in progress. */
export interface ActiveRun {
  order: RuntimeOrder;
  world: World;
  decisions: Decisions;
  spending: Spending;
  /** The memory context; undefined for a run without memory. */
  context: string | undefined;
  /** The names of tools and agents with a granted consent. */
  granted: Set<string>;
}
