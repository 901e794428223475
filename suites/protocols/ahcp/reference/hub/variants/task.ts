import { right } from "../policy.ts";
import { type HubVariant, inner } from "./variant.ts";

/** Hubs that break a rule on tasks. */
export const taskVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-TSK-004",
    says: "applies a default to a task",
    policy: {
      fallback: (message) => right.fallback(message) ?? inner(message, "action").default_on_expire,
    },
  },
  {
    rule: "AHCP-TSK-005",
    says: "lets a task be answered",
    policy: { endings: (type) => [...right.endings(type), ...(type === "task" ? ["answered", "declined"] : [])] },
  },
  {
    rule: "AHCP-TSK-005",
    name: "cancelled",
    says: "lets a resolver cancel a task",
    policy: { endings: (type) => [...right.endings(type), ...(type === "task" ? ["cancelled"] : [])] },
  },
];
