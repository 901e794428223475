import type { Service } from "../../../../schemas/index.ts";
import { nameOf } from "../../../packs/reference/mistakes.ts";
import { openHub } from "./hub/open.ts";
import { serviceOf } from "./hub/routes.ts";
import { hubVariants } from "./hub/variants/index.ts";

/** Stored messages have deadlines in the past, and are judged only by their form: the hub of `startHub` checks them by its clock. */
const timelessOptions = { isDeadlineAhead: () => true };

/** An open hub, which requires no credential, and the hubs that break a rule. */
export const service: Service = {
  ...serviceOf((context) => openHub(context, {}, timelessOptions)),
  variants: hubVariants.map((variant) => ({
    name: nameOf(variant),
    description: `a hub that ${variant.says}`,
    service: serviceOf((context) => openHub(context, {}, { ...timelessOptions, ...variant.policy })),
  })),
};
