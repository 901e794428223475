import { consentVariants } from "./consent.ts";
import { messageVariants } from "./messages.ts";
import { replyVariants } from "./replies.ts";
import { termVariants } from "./terms.ts";
import { toolVariants } from "./tools.ts";
import { transportVariants } from "./transport.ts";
import type { ProducerVariant } from "./variant.ts";

/** Producers that break one rule each. */
export const producerVariants: readonly ProducerVariant[] = [
  ...consentVariants,
  ...toolVariants,
  ...replyVariants,
  ...termVariants,
  ...messageVariants,
  ...transportVariants,
];
