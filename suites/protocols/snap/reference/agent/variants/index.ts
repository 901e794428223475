import { cardVariants } from "./card.ts";
import { envelopeVariants } from "./envelope.ts";
import { freshnessVariants } from "./freshness.ts";
import { nostrVariants } from "./nostr.ts";
import { payloadVariants } from "./payload.ts";
import { recipientVariants } from "./recipient.ts";
import { signatureVariants } from "./signature.ts";
import { streamVariants } from "./stream.ts";
import { taskVariants } from "./task.ts";
import { transportVariants } from "./transport.ts";
import type { BrokenAgent } from "./variant.ts";

/** Agents that break one rule each, grouped by rule. */
export const agentVariants: readonly BrokenAgent[] = [
  ...envelopeVariants,
  ...recipientVariants,
  ...freshnessVariants,
  ...signatureVariants,
  ...payloadVariants,
  ...taskVariants,
  ...streamVariants,
  ...transportVariants,
  ...cardVariants,
  ...nostrVariants,
];
