import type { RuntimeVariant } from "../variant.ts";
import { boundVariants } from "./bounds.ts";
import { conditionVariants } from "./conditions.ts";
import { consentVariants } from "./consent.ts";
import { dataVariants } from "./data.ts";
import { declaredVariants } from "./declared.ts";
import { flowVariants } from "./flows.ts";

/** Runtimes that break a rule, by families of rules. */
export const runtimeVariants: readonly RuntimeVariant[] = [
  ...declaredVariants,
  ...conditionVariants,
  ...consentVariants,
  ...flowVariants,
  ...dataVariants,
  ...boundVariants,
];
