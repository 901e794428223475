import type { Variant } from "./variant.ts";

export const firstErrorOnly: Variant = {
  name: "first-error-only",
  description: "gives one reason however many there are, which is its right",
  conforms: () => true,
  around: (judge) => (document, value) => judge(document, value).slice(0, 1),
};
