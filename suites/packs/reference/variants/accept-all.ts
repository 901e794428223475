import type { Variant } from "./variant.ts";

export const acceptAll: Variant = {
  name: "accept-all",
  description: "accepts everything, even text that is not JSON",
  fixedAnswer: "accept",
};
