import type { Variant } from "../agent/variants.ts";
import { type HubConduct, right } from "./hub.ts";

export const hubVariants: readonly Variant<HubConduct>[] = [
  {
    rule: "CONV-ROUTE-001",
    says: "hands what fits nothing to monitoring",
    conduct: { route: (category) => right.route(category) ?? "monitoring" },
  },
  {
    rule: "CONV-ROUTE-001",
    name: "status",
    says: "hands status to the task distributor",
    conduct: { route: (category) => (category === "status" ? "tasks" : right.route(category)) },
  },
  { rule: "CONV-CUE-007", says: "does not go on to the next cue", conduct: { follows: () => false } },
];
