import type { Service } from "../../../../schemas/index.ts";
import { variantNameOf } from "../../../packs/reference/mistakes.ts";
import { openHub } from "./hub/open.ts";
import { serviceOf } from "./hub/routes.ts";
import { hubVariants } from "./hub/variants/index.ts";

/** Accepts deadlines in the past: this service judges stored messages only by their form. The hub of `startHub` checks deadlines. */
const timelessOptions = { isDeadlineAhead: () => true };

/** A hub that requires no credential, and its variants that break a rule. */
export const service: Service = {
  ...serviceOf((context) => openHub(context, {}, timelessOptions)),
  variants: hubVariants.map((variant) => ({
    name: variantNameOf(variant),
    description: `a hub that ${variant.says}`,
    service: serviceOf((context) => openHub(context, {}, { ...timelessOptions, ...variant.policy })),
  })),
};
