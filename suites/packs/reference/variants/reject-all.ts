import type { Variant } from "./variant.ts";

export const rejectAll: Variant = {
  name: "reject-all",
  description: "refuses everything",
  always: "reject",
};
