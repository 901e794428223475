import { consentVariants } from "./consent.ts";
import { courseVariants } from "./courses.ts";
import { messageVariants } from "./messages.ts";
import { replyVariants } from "./replies.ts";
import { sequenceVariants } from "./sequences.ts";
import { termVariants } from "./terms.ts";
import type { ProducerVariant } from "./variant.ts";

/** Producers that break one rule each. */
export const producerVariants: readonly ProducerVariant[] = [
  ...consentVariants,
  ...replyVariants,
  ...termVariants,
  ...messageVariants,
  ...sequenceVariants,
  ...courseVariants,
];
