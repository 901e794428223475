import { accessVariants } from "./access.ts";
import { acknowledgmentVariants } from "./acknowledgment.ts";
import { askVariants } from "./ask.ts";
import { callbackVariants } from "./callback.ts";
import { cancellationVariants } from "./cancellation.ts";
import { capabilityVariants } from "./capability.ts";
import { deliveryVariants } from "./delivery.ts";
import { durabilityVariants } from "./durability.ts";
import { envelopeVariants } from "./envelope.ts";
import { errorVariants } from "./error.ts";
import { expiryVariants } from "./expiry.ts";
import { idempotencyVariants } from "./idempotency.ts";
import { lifecycleVariants } from "./lifecycle.ts";
import { limitsVariants } from "./limits.ts";
import { readingVariants } from "./reading.ts";
import { resolverVariants } from "./resolver.ts";
import { responseVariants } from "./response.ts";
import { safetyVariants } from "./safety.ts";
import { signatureVariants } from "./signature.ts";
import { stateVariants } from "./state.ts";
import { taskVariants } from "./task.ts";
import type { HubVariant } from "./variant.ts";
import { versionVariants } from "./version.ts";

/** Hubs that break one rule each, in the order of the rules' families. */
export const hubVariants: readonly HubVariant[] = [
  ...accessVariants,
  ...acknowledgmentVariants,
  ...askVariants,
  ...callbackVariants,
  ...cancellationVariants,
  ...capabilityVariants,
  ...deliveryVariants,
  ...durabilityVariants,
  ...envelopeVariants,
  ...errorVariants,
  ...expiryVariants,
  ...idempotencyVariants,
  ...lifecycleVariants,
  ...limitsVariants,
  ...readingVariants,
  ...resolverVariants,
  ...responseVariants,
  ...safetyVariants,
  ...signatureVariants,
  ...stateVariants,
  ...taskVariants,
  ...versionVariants,
];
