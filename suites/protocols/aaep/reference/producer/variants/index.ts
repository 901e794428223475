import { consent } from "./consent.ts";
import { messages } from "./messages.ts";
import { replies } from "./replies.ts";
import { terms } from "./terms.ts";
import { tools } from "./tools.ts";
import { transport } from "./transport.ts";
import type { ProducerVariant } from "./variant.ts";

/** Producers that break one rule each. */
export const producerVariants: readonly ProducerVariant[] = [
  ...consent,
  ...tools,
  ...replies,
  ...terms,
  ...messages,
  ...transport,
];
