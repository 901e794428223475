import type { Variant } from "./variant.ts";

export const acceptAll: Variant = {
  name: "accept-all",
  description: "accepts everything, even what is no JSON",
  always: "accept",
};
