import type { Variant } from "./variant.ts";

export const rejectAll: Variant = {
  name: "reject-all",
  description: "refuses everything",
  fixedAnswer: "reject",
};
