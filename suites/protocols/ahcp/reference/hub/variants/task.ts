import { correctHubPolicy } from "../policy.ts";
import { breaks, type HubVariant, memberObject } from "./variant.ts";

/** Hubs that break a rule on tasks. */
export const taskVariants: readonly HubVariant[] = [
  ...breaks("AHCP-TSK-004", {
    "": [
      "applies a default to a task",
      {
        defaultAnswer: (message) =>
          correctHubPolicy.defaultAnswer(message) ?? memberObject(message, "action").default_on_expire,
      },
    ],
  }),
  ...breaks("AHCP-TSK-005", {
    "": [
      "accepts answered and declined as outcomes of a task",
      {
        outcomesFor: (type) => [
          ...correctHubPolicy.outcomesFor(type),
          ...(type === "task" ? ["answered", "declined"] : []),
        ],
      },
    ],
  }),
];
