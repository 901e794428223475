import type { HubVariant } from "./variant.ts";

/** Hubs that break one rule each. */
export const hubVariants: readonly HubVariant[] = [];
