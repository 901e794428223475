import { bindingVariants } from "./bindings.ts";
import { cardVariants } from "./card.ts";
import { messageVariants } from "./messages.ts";
import { pushVariants } from "./pushes.ts";
import { streamVariants } from "./streams.ts";
import { taskVariants } from "./tasks.ts";
import type { BrokenA2aAgent } from "./variant.ts";

/** Agents that break one rule each, grouped by rule family. */
export const brokenAgents: readonly BrokenA2aAgent[] = [
  ...cardVariants,
  ...bindingVariants,
  ...messageVariants,
  ...taskVariants,
  ...streamVariants,
  ...pushVariants,
];
