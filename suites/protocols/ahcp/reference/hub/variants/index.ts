import { accessVariants } from "./access.ts";
import { answerVariants } from "./answer.ts";
import { attemptVariants } from "./attempts.ts";
import { byteVariants } from "./bytes.ts";
import { deliveryVariants } from "./delivery.ts";
import { detailVariants } from "./detail.ts";
import { durabilityVariants } from "./durability.ts";
import { exceptionVariants } from "./exception.ts";
import { finalityVariants } from "./finality.ts";
import { idempotencyVariants } from "./idempotency.ts";
import { kindVariants } from "./kinds.ts";
import { libraryVariants } from "./library.ts";
import { lifecycleVariants } from "./lifecycle.ts";
import { limitVariants } from "./limits.ts";
import { outcomeVariants } from "./outcome.ts";
import { practiceVariants } from "./practice.ts";
import { readVariants } from "./read.ts";
import { refusalVariants } from "./refusal.ts";
import { resolverVariants } from "./resolver.ts";
import { responseVariants } from "./response.ts";
import { signatureVariants } from "./signature.ts";
import { submitVariants } from "./submit.ts";
import { typeVariants } from "./types.ts";
import { valueVariants } from "./value.ts";
import type { HubVariant } from "./variant.ts";

/** Hubs that break one rule each. */
export const hubVariants: readonly HubVariant[] = [
  ...submitVariants,
  ...idempotencyVariants,
  ...lifecycleVariants,
  ...resolverVariants,
  ...readVariants,
  ...accessVariants,
  ...refusalVariants,
  ...responseVariants,
  ...deliveryVariants,
  ...signatureVariants,
  ...attemptVariants,
  ...outcomeVariants,
  ...finalityVariants,
  ...durabilityVariants,
  ...answerVariants,
  ...practiceVariants,
  ...detailVariants,
  ...exceptionVariants,
  ...libraryVariants,
  ...typeVariants,
  ...kindVariants,
  ...byteVariants,
  ...valueVariants,
  ...limitVariants,
];
