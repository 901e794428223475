import type { Service } from "../service.ts";
import { openHub } from "./hub/open.ts";
import { serviceOf } from "./hub/routes.ts";
import { hubVariants } from "./hub/variants/index.ts";
import { nameOf } from "./hub/variants/variant.ts";

/** An open hub, which asks for no credential, and the hubs that break a rule. */
export const ahcp: Service = {
  ...serviceOf((context) => openHub(context, {})),
  variants: hubVariants.map((variant) => ({
    name: nameOf(variant),
    description: variant.says,
    service: serviceOf((context) => openHub(context, {}, variant.policy)),
  })),
};
