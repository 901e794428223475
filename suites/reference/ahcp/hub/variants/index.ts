import { deliveryVariants } from "./delivery.ts";
import { durabilityVariants } from "./durability.ts";
import { idempotencyVariants } from "./idempotency.ts";
import { lifecycleVariants } from "./lifecycle.ts";
import { readVariants } from "./read.ts";
import { responseVariants } from "./response.ts";
import { signatureVariants } from "./signature.ts";
import { submitVariants } from "./submit.ts";
import type { HubVariant } from "./variant.ts";

/** Hubs that break one rule each. */
export const hubVariants: readonly HubVariant[] = [
  ...submitVariants,
  ...idempotencyVariants,
  ...lifecycleVariants,
  ...readVariants,
  ...responseVariants,
  ...deliveryVariants,
  ...signatureVariants,
  ...durabilityVariants,
];
