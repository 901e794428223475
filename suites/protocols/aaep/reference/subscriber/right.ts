import { eventsIn } from "../../scenarios/subscribing/frames.ts";
import type { Policy } from "./model.ts";

const core = "https://aaep-protocol.org/context/v1";

/** Decides as the protocol says. */
export const right: Policy = {
  reads: eventsIn,
  takes: () => true,
  completes: () => undefined,
  isOurs: (context) => context === core || (Array.isArray(context) && context[0] === core),
  breaksAt: () => false,
  isDouble: (id, seen) => seen.has(id),
  noticesOrder: () => true,
  noticesSize: true,
  announces: (item) => item,
  utters: (hint) => hint !== "none" && hint !== "word",
  breath: Number.POSITIVE_INFINITY,
  sends: (message) => message,
  answers: () => undefined,
  forgetsPrompts: true,
  promptsAtOnce: Number.POSITIVE_INFINITY,
  closes: true,
  survives: true,
  copes: () => true,
  leavesAt: () => false,
  verifies: true,
  isSingle: false,
};
